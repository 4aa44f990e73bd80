/**
 * Writes times and days as `Intl` does, without it: creating the first `Intl.DateTimeFormat` would delay the first
 * paint. Other locales use `Intl`. A test compares both.
 */

/** How many hours the locale's default clock has. */
export const CLOCKS: ReadonlyMap<string, 12 | 24> = new Map([
  ['en', 12],
  ['en-US', 12],
  ['de', 24],
  ['de-DE', 24],
]);

const twoDigits = (number: number): string => String(number).padStart(2, '0');

export function plainTime(locale: string, isTwentyFour: boolean, seconds: number): string | undefined {
  const hours = CLOCKS.get(locale);
  if (hours === undefined) return undefined;
  const date = new Date(seconds * 1000);
  const [hour, minute] = [date.getHours(), twoDigits(date.getMinutes())];
  if (hours === 24 || isTwentyFour) return `${twoDigits(hour)}:${minute}`;
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
