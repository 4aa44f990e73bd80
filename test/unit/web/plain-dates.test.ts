import { CLOCKS, plainDay, plainTime } from '../../../web/shared/texts/plain-dates';
import english from '../../../web/shared/texts/en.json';
import german from '../../../web/shared/texts/de.json';

const locales = [...CLOCKS.keys()];
const catalogueOf = (locale: string) => (locale.startsWith('de') ? german : english);
const MINUTES_OF_A_DAY = 1440;
const FIRST = new Date(2027, 0, 1).getTime() / 1000;

test.each(locales)('Every time of day is formatted as Intl formats it: %s', (locale) => {
  for (const isTwentyFour of [false, true]) {
    const clock: Intl.DateTimeFormatOptions = isTwentyFour ? { hourCycle: 'h23' } : {};
    const known = new Intl.DateTimeFormat(locale, { timeStyle: 'short', ...clock });
    const seconds = Array.from({ length: MINUTES_OF_A_DAY }, (_, minute) => FIRST + minute * 60);
    expect(seconds.map((each) => plainTime(locale, isTwentyFour, each))).toEqual(
      seconds.map((each) => known.format(each * 1000)),
    );
  }
});

test.each(locales)('Every day of a year is formatted as Intl formats it: %s', (locale) => {
  const texts = catalogueOf(locale);
  const names = { weekdays: texts['date.weekdays'], months: texts['date.months'] };
  const days = Array.from({ length: 365 }, (_, at) => new Date(2027, 0, 1 + at).getTime() / 1000);
  const day = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  for (const [pattern, format] of [
    [texts['date.day'], new Intl.DateTimeFormat(locale, day)],
    [texts['date.dayAndYear'], new Intl.DateTimeFormat(locale, { ...day, year: 'numeric' })],
  ] as const) {
    expect(days.map((each) => plainDay(locale, { ...names, pattern }, each))).toEqual(
      days.map((each) => format.format(each * 1000)),
    );
  }
});

test('Dates in an unknown locale are formatted by Intl', () => {
  expect(plainTime('en-GB', false, FIRST)).toBeUndefined();
  expect(plainDay('fr', { weekdays: '', months: '', pattern: '' }, FIRST)).toBeUndefined();
});
