/** Formats numbers, sizes and durations in the chosen language. */
import { useLanguage } from '../../shared/texts/texts';

const formats = new Map<string, Intl.NumberFormat>();

function format(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const language = useLanguage.getState().locale;
  const key = language + JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.NumberFormat(language, options);
  formats.set(key, known);
  return known;
}

export const numberOf = (value: number, digits = 0): string => format({ maximumFractionDigits: digits }).format(value);

export const shareOf = (part: number): string => format({ style: 'percent', maximumFractionDigits: 1 }).format(part);

const unitOf = (value: number, unit: string): string =>
  format({ style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);

const TIMES: readonly (readonly [number, string])[] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
  [0, 'millisecond'],
];

export function durationOf(ms: number): string {
  const [size, unit] = TIMES.find(([least]) => ms >= least) ?? TIMES.at(-1)!;
  return unitOf(ms / (size || 1), unit);
}

const SIZES: readonly (readonly [number, string])[] = [
  [1e9, 'gigabyte'],
  [1e6, 'megabyte'],
  [0, 'kilobyte'],
];

export function bytesOf(bytes: number): string {
  const [size, unit] = SIZES.find(([least]) => bytes >= least)!;
  return unitOf(bytes / (size || 1000), unit);
}

export function momentOf(iso: string): string {
  const language = useLanguage.getState().locale;
  return new Date(iso).toLocaleString(language, { dateStyle: 'short', timeStyle: 'medium' });
}

/** The distance from now, past or future. */
export const agoOf = (iso: string): string => durationOf(Math.abs(Date.now() - Date.parse(iso)));
