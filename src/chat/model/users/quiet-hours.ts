/** The hours in which a user is left alone: no pushes, and in the page neither sounds nor notes. The page reads them too. */
import { settingOf, type StoredSettings } from './user-settings';

const MINUTES_IN_A_DAY = 1440;

/** Whether a user is left alone at this time of theirs. Days are those on which quiet hours begin, Monday first. */
export function isQuietAt(settings: StoredSettings, timezone: string, at: Date): boolean {
  if (settingOf(settings, 'enable_quiet_hours') !== true) return false;
  const { day, minute } = localTime(timezone, at);
  const from = minuteOf(settingOf(settings, 'quiet_hours_from'));
  const to = minuteOf(settingOf(settings, 'quiet_hours_to'));
  const days = String(settingOf(settings, 'quiet_hours_days'));
  const length = to > from ? to - from : to - from + MINUTES_IN_A_DAY;
  // They may have begun today, or yesterday and last until today.
  const sinceToday = minute - from;
  const sinceYesterday = sinceToday + MINUTES_IN_A_DAY;
  const yesterday = day === 1 ? 7 : day - 1;
  return (
    (days.includes(String(day)) && sinceToday >= 0 && sinceToday < length) ||
    (days.includes(String(yesterday)) && sinceYesterday < length)
  );
}

/** Whether private messages and mentions of the user come through. */
export const letsPersonalThrough = (settings: StoredSettings): boolean =>
  settingOf(settings, 'quiet_hours_allow_personal') === true;

function minuteOf(time: unknown): number {
  const [hours, minutes] = String(time).split(':').map(Number);
  return hours! * 60 + minutes!;
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** A user without a time zone has UTC. */
function localTime(timezone: string, at: Date): { readonly day: number; readonly minute: number } {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: timezone === '' ? 'UTC' : timezone,
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return { day: DAYS.indexOf(parts['weekday']!) + 1, minute: Number(parts['hour']) * 60 + Number(parts['minute']) };
}
