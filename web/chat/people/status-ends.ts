/** When a status may end. */
export const ENDS = ['never', 'half', 'hour', 'four', 'today', 'week'] as const;
export type End = (typeof ENDS)[number];

const MINUTES: Partial<Record<End, number>> = { half: 30, hour: 60, four: 240 };

/** In seconds, by the clock of the browser; null if it has no end. Weeks end on Sunday. */
export function secondsOf(end: End, now: Date): number | null {
  if (end === 'never') return null;
  const minutes = MINUTES[end];
  if (minutes !== undefined) return Math.floor(now.getTime() / 1000) + minutes * 60;
  const midnight = new Date(now);
  const days = end === 'today' ? 1 : ((7 - now.getDay()) % 7) + 1;
  midnight.setDate(midnight.getDate() + days);
  midnight.setHours(0, 0, 0, 0);
  return Math.floor(midnight.getTime() / 1000);
}
