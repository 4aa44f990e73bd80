/** Formats services' numeric times. A number that is not a time stays as it is. */

/** From milliseconds, in UTC. */
export function isoOf(milliseconds: string): string {
  const moment = new Date(Number(milliseconds));
  return milliseconds.trim() === '' || Number.isNaN(moment.getTime()) ? milliseconds : moment.toISOString();
}

/** From seconds: "2019-11-01 12:00:00 UTC". */
export function secondOf(seconds: string): string {
  const moment = new Date(Number(seconds) * 1000);
  if (seconds.trim() === '' || Number.isNaN(moment.getTime())) return seconds;
  return `${moment.toISOString().replace('T', ' ').slice(0, -5)} UTC`;
}
