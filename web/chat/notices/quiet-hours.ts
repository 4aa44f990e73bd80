/** Whether it is in the reader's quiet hours, by the rule by which the server pushes nothing. */
import { setting } from '../data/store';

export interface QuietHours {
  readonly from: string;
  readonly to: string;
  /** Those on which they begin: 1 is Monday. */
  readonly days: string;
  readonly timezone: string;
}

const MINUTES_IN_A_DAY = 1440;
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

const minuteOf = (time: string): number => {
  const [hours, minutes] = time.split(':').map(Number);
  return hours! * 60 + minutes!;
};

export function isWithin({ from, to, days, timezone }: QuietHours, at: Date): boolean {
  const format = new Intl.DateTimeFormat('en', {
    ...(timezone === '' ? {} : { timeZone: timezone }),
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const today = DAYS.indexOf(parts['weekday']!) + 1;
  const since = minuteOf(`${parts['hour']}:${parts['minute']}`) - minuteOf(from);
  const length = minuteOf(to) - minuteOf(from) + (minuteOf(to) > minuteOf(from) ? 0 : MINUTES_IN_A_DAY);
  const begin = (day: number, minutes: number) => days.includes(String(day)) && minutes >= 0 && minutes < length;
  return begin(today, since) || begin(today === 1 ? 7 : today - 1, since + MINUTES_IN_A_DAY);
}

export const ownHours = (): QuietHours => ({
  from: setting('quiet_hours_from', '22:00'),
  to: setting('quiet_hours_to', '07:00'),
  days: setting('quiet_hours_days', '1234567'),
  timezone: setting('timezone', ''),
});

export const isQuietNow = (): boolean => setting('enable_quiet_hours', false) && isWithin(ownHours(), new Date());
