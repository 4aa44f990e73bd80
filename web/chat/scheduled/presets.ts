/** The times that are offered for sending later and for reminders: those of Zulip, in the time zone of the author. */
import { momentOf, wallTimeAt } from './zoned-time';

export type PresetName = 'hour' | 'hours' | 'today' | 'tomorrow' | 'monday';

export interface Preset {
  readonly name: PresetName;
  /** Seconds. */
  readonly at: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MORNING = '09:00';
const AFTERNOON = '16:00';
/** As in Zulip: what is nearer is not offered. */
const LEAST_MS = 5 * MINUTE_MS;
const MONDAY = 1;

/** In their order in time, each time once. */
export function presetsAt(now: number, zone: string): readonly Preset[] {
  const today = wallTimeAt(now, zone).slice(0, 10);
  const at = (name: PresetName, days: number, time: string): Preset => ({
    name,
    at: momentOf(`${dayAfter(today, days)}T${time}`, zone) / 1000,
  });
  const inHours = (name: PresetName, hours: number): Preset => ({
    name,
    at: (Math.ceil(now / MINUTE_MS) * MINUTE_MS + hours * HOUR_MS) / 1000,
  });
  const toMonday = (7 + MONDAY - new Date(`${today}T00:00Z`).getUTCDay()) % 7 || 7;
  const all = [
    inHours('hour', 1),
    inHours('hours', 3),
    at('today', 0, MORNING),
    at('today', 0, AFTERNOON),
    at('tomorrow', 1, MORNING),
    at('tomorrow', 1, AFTERNOON),
    // Tomorrow is offered already.
    ...(toMonday === 1 ? [] : [at('monday', toMonday, MORNING)]),
  ];
  return all
    .filter(({ at: seconds }) => seconds * 1000 >= now + LEAST_MS)
    .sort((a, b) => a.at - b.at)
    .filter(({ at: seconds }, place, sorted) => sorted[place - 1]?.at !== seconds);
}

function dayAfter(day: string, days: number): string {
  const next = new Date(`${day}T00:00Z`);
  next.setUTCDate(next.getUTCDate() + days);
  return next.toISOString().slice(0, 10);
}

/** What the field for a chosen time begins with: the next full hour. */
export const nextHour = (now: number, zone: string): string =>
  wallTimeAt(Math.ceil((now + LEAST_MS) / HOUR_MS) * HOUR_MS, zone);
