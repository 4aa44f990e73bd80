/** Times of day in a time zone: what the clocks there show at a moment, and the moment at which they show something. */

/** As a field for local times has it: `2026-11-18T09:00`. */
export type WallTime = string;

const formats = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  let known = formats.get(zone);
  if (!known) {
    const two = '2-digit';
    const fields = { year: 'numeric', month: two, day: two, hour: two, minute: two, hourCycle: 'h23' } as const;
    known = new Intl.DateTimeFormat('en-US', { ...fields, timeZone: zone });
    formats.set(zone, known);
  }
  return known;
}

export function wallTimeAt(ms: number, zone: string): WallTime {
  const parts = clockOf(zone).formatToParts(ms);
  const value = (type: Intl.DateTimeFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? '';
  return `${value('year').padStart(4, '0')}-${value('month')}-${value('day')}T${value('hour')}:${value('minute')}`;
}

const asIfInUtc = (wall: WallTime): number => Date.parse(`${wall}Z`);

/** Fields take years of six digits, which is more than clocks and parsers do. The server refuses this too. */
const FAR_AWAY = Date.UTC(9000, 0);

/** Milliseconds. A time that is left out when clocks are put forward becomes as much later. */
export function momentOf(wall: WallTime, zone: string): number {
  const utc = asIfInUtc(wall);
  if (!(utc < FAR_AWAY)) return FAR_AWAY;
  const offsetAt = (ms: number): number => asIfInUtc(wallTimeAt(ms, zone)) - ms;
  const first = utc - offsetAt(utc);
  const second = utc - offsetAt(first);
  return wallTimeAt(second, zone) === wall ? second : Math.max(first, second);
}

/** The zone, or that of the browser if there is none, or none of this name. */
export function knownZone(zone: string): string {
  try {
    if (zone !== '') return clockOf(zone).resolvedOptions().timeZone;
  } catch {
    // The server may know zones that this browser does not.
  }
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
