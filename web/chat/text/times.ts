/** Times as messages write them: with the distance from UTC, so that they mean the same everywhere. */

const two = (value: number): string => String(value).padStart(2, '0');

/** As a field for local times wants it: `2026-11-18T23:00`. */
export function localTime(time: Date): string {
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

export function withOffset(time: Date): string {
  const minutes = -time.getTimezoneOffset();
  const distance = Math.abs(minutes);
  return `${localTime(time)}:00${minutes < 0 ? '-' : '+'}${two(Math.floor(distance / 60))}:${two(distance % 60)}`;
}
