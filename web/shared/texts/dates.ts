/** Formats dates and times in the chosen language. */
import { plainDay, plainTime } from './plain-dates';
import { t, useLanguage } from './texts';

const DAY_MS = 86_400_000;

const FORMATS = {
  // In the style of `dateAndTime`: with `hour: 'numeric'` some languages write 4:05 here and 04:05 there.
  time: { timeStyle: 'short' },
  dateAndTime: { dateStyle: 'full', timeStyle: 'short' },
  day: { weekday: 'long', day: 'numeric', month: 'long' },
  dayShort: { weekday: 'short', day: 'numeric', month: 'short' },
  dayAndYear: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** Cached, because creating a format costs much more than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();
let isTwentyFour = false;

/** False uses the default of the language. */
export function setHourFormat(twentyFour: boolean): void {
  isTwentyFour = twentyFour;
}

/** Not `hour12`, with which an American day begins at 24:00. */
const clock = (): Intl.DateTimeFormatOptions => (isTwentyFour ? { hourCycle: 'h23' } : {});

/** In the zone of the browser, if none is given. */
function format(name: keyof typeof FORMATS, seconds: number, zone?: string): string {
  const { locale } = useLanguage.getState();
  const key = `${name} ${locale} ${isTwentyFour} ${zone}`;
  let known = formats.get(key);
  if (!known) {
    const hours = name.startsWith('day') ? {} : clock();
    known = new Intl.DateTimeFormat(locale, { ...FORMATS[name], ...hours, ...(zone && { timeZone: zone }) });
    formats.set(key, known);
  }
  return known.format(seconds * 1000);
}

let lastTime = { key: '', text: '' };

/** Remembers the last result, because most messages share the minute of the previous one. */
export function timeOf(seconds: number): string {
  const { locale } = useLanguage.getState();
  const key = `${Math.floor(seconds / 60)} ${locale} ${isTwentyFour}`;
  if (lastTime.key !== key) {
    lastTime = { key, text: plainTime(locale, isTwentyFour, seconds) ?? format('time', seconds) };
  }
  return lastTime.text;
}

/** What the clock says now in a zone. Throws if the browser does not know it. */
export const timeIn = (timeZone: string): string =>
  new Intl.DateTimeFormat(useLanguage.getState().locale, { ...FORMATS.time, ...clock(), timeZone }).format();

export const dateAndTimeOf = (seconds: number, zone?: string): string => format('dateAndTime', seconds, zone);
export const shortDayOf = (seconds: number, zone: string): string => format('dayShort', seconds, zone);
export const timeOfDay = (seconds: number, zone: string): string => format('time', seconds, zone);

/** The same number for all moments of one local day. */
export const dayOf = (seconds: number): number => new Date(seconds * 1000).setHours(0, 0, 0, 0);

export function dayName(seconds: number): string {
  const age = Math.round((dayOf(Date.now() / 1000) - dayOf(seconds)) / DAY_MS);
  if (age === 0) return t('date.today');
  if (age === 1) return t('date.yesterday');
  const isThisYear = new Date(seconds * 1000).getFullYear() === new Date().getFullYear();
  const { locale } = useLanguage.getState();
  const pattern = t(isThisYear ? 'date.day' : 'date.dayAndYear');
  const names = { weekdays: t('date.weekdays'), months: t('date.months'), pattern };
  return plainDay(locale, names, seconds) ?? format(isThisYear ? 'day' : 'dayAndYear', seconds);
}

export function ago(seconds: number): string {
  const minutes = Math.max(0, Math.round((Date.now() / 1000 - seconds) / 60));
  const language = useLanguage.getState().locale;
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  if (minutes < 60) return relative.format(-minutes, 'minute');
  if (minutes < 60 * 24) return relative.format(-Math.round(minutes / 60), 'hour');
  return relative.format(-Math.round(minutes / 1440), 'day');
}
