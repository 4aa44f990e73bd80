/**
 * Writes times and days as `Intl` does, without it: creating the first `Intl.DateTimeFormat` would delay the first
 * paint. Other locales use `Intl`. A test compares both.
 */

/** The locale's default clock, and whether its 24-hour clock writes 09:04 or 9:04. */
interface Clock {
  readonly hours: 12 | 24;
  readonly isPadded: boolean;
}

const AMERICAN: Clock = { hours: 12, isPadded: true };
const GERMAN: Clock = { hours: 24, isPadded: false };

export const CLOCKS: ReadonlyMap<string, Clock> = new Map([
  ['en', AMERICAN],
  ['en-US', AMERICAN],
  ['de', GERMAN],
  ['de-DE', GERMAN],
]);

const twoDigits = (number: number): string => String(number).padStart(2, '0');

export function plainTime(locale: string, isTwentyFour: boolean, seconds: number): string | undefined {
  const clock = CLOCKS.get(locale);
  if (!clock) return undefined;
  const date = new Date(seconds * 1000);
  const [hour, minute] = [date.getHours(), twoDigits(date.getMinutes())];
  if (clock.hours === 24 || isTwentyFour) return `${clock.isPadded ? twoDigits(hour) : hour}:${minute}`;
  return `${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`;
}

interface DayNames {
  /** Starting with Sunday and January, separated by spaces. */
  readonly weekdays: string;
  readonly months: string;
  /** With the fields weekday, day, month and year. */
  readonly pattern: string;
}

export function plainDay(locale: string, { weekdays, months, pattern }: DayNames, seconds: number): string | undefined {
  if (!CLOCKS.has(locale)) return undefined;
  const date = new Date(seconds * 1000);
  return pattern
    .replace('{weekday}', weekdays.split(' ')[date.getDay()]!)
    .replace('{month}', months.split(' ')[date.getMonth()]!)
    .replace('{day}', String(date.getDate()))
    .replace('{year}', String(date.getFullYear()));
}
