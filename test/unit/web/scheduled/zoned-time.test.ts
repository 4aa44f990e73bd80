import { presetsAt, nextHour } from '../../../../web/chat/scheduled/presets';
import { knownZone, momentOf, wallTimeAt } from '../../../../web/chat/scheduled/zoned-time';

const iso = (ms: number) => new Date(ms).toISOString();

describe('Times of day in a zone', () => {
  test.each([
    ['Europe/Berlin', '2026-11-20T09:00', '2026-11-20T08:00:00.000Z'],
    ['Europe/Berlin', '2026-07-20T09:00', '2026-07-20T07:00:00.000Z'],
    ['America/New_York', '2026-11-20T09:00', '2026-11-20T14:00:00.000Z'],
    ['Pacific/Auckland', '2026-11-20T09:00', '2026-11-19T20:00:00.000Z'],
    ['Asia/Kathmandu', '2026-11-20T00:00', '2026-11-19T18:15:00.000Z'],
    ['UTC', '2026-11-20T09:00', '2026-11-20T09:00:00.000Z'],
  ])('In %s it is %s at one moment', (zone, wall, moment) => {
    expect(iso(momentOf(wall, zone))).toBe(moment);
    expect(wallTimeAt(Date.parse(moment), zone)).toBe(wall);
  });

  test.each([
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T03:30'],
    ['America/New_York', '2026-03-08T02:30', '2026-03-08T03:30'],
    ['Australia/Lord_Howe', '2026-10-04T02:10', '2026-10-04T02:40'],
  ])('A time that %s leaves out becomes as much later', (zone, wall, shown) => {
    expect(wallTimeAt(momentOf(wall, zone), zone)).toBe(shown);
  });

  test.each([
    ['Europe/Berlin', '2026-10-25T02:30'],
    ['America/New_York', '2026-11-01T01:30'],
  ])('A time that %s has twice is one of both', (zone, wall) => {
    expect(wallTimeAt(momentOf(wall, zone), zone)).toBe(wall);
  });

  test('A time that no clock shows is one that is far away', () => {
    for (const wall of ['9999-12-31T23:59', '12345-01-01T00:00', '275760-12-31T23:59', ''])
      expect(iso(momentOf(wall, 'America/New_York'))).toBe('9000-01-01T00:00:00.000Z');
  });

  test('A zone that this browser does not know is that of the browser', () => {
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(['', 'Mars/Olympus', 'Asia/Tokyo'].map(knownZone)).toEqual([own, own, 'Asia/Tokyo']);
  });
});

describe('The times that are offered', () => {
  const offered = (now: string, zone: string) =>
    presetsAt(Date.parse(now), zone).map(({ name, at }) => `${name} ${wallTimeAt(at * 1000, zone).replace('T', ' ')}`);

  test('In the morning of a Thursday: in an hour and three, today, tomorrow, on Monday', () => {
    expect(offered('2026-11-19T09:10:30Z', 'Europe/Berlin')).toEqual([
      'hour 2026-11-19 11:11',
      'hours 2026-11-19 13:11',
      'today 2026-11-19 16:00',
      'tomorrow 2026-11-20 09:00',
      'tomorrow 2026-11-20 16:00',
      'monday 2026-11-23 09:00',
    ]);
  });

  test('The day is that of the zone', () => {
    const tomorrow = (zone: string) => offered('2026-11-19T20:00:00Z', zone).find((each) => each.startsWith('tom'));
    expect(tomorrow('Pacific/Auckland')).toBe('tomorrow 2026-11-21 09:00');
    expect(tomorrow('America/New_York')).toBe('tomorrow 2026-11-20 09:00');
  });

  test('What is over today, or almost, is not offered, and of a Sunday Monday is tomorrow', () => {
    expect(offered('2026-11-22T15:56:00Z', 'UTC')).toEqual([
      'hour 2026-11-22 16:56',
      'hours 2026-11-22 18:56',
      'tomorrow 2026-11-23 09:00',
      'tomorrow 2026-11-23 16:00',
    ]);
  });

  test('A time that has two names is offered once', () => {
    expect(offered('2026-11-19T15:00:00Z', 'UTC').slice(0, 2)).toEqual([
      'hour 2026-11-19 16:00',
      'hours 2026-11-19 18:00',
    ]);
  });

  test('On a Monday, Monday is that of the next week', () => {
    expect(offered('2026-11-23T12:00:00Z', 'UTC').at(-1)).toBe('monday 2026-11-30 09:00');
  });

  test('Nine in the morning stays nine when clocks are put back', () => {
    expect(offered('2026-10-24T10:00:00Z', 'Europe/Berlin')).toContain('tomorrow 2026-10-25 09:00');
  });

  test('A time of one’s own begins with the next full hour', () => {
    expect(nextHour(Date.parse('2026-11-19T09:10:00Z'), 'UTC')).toBe('2026-11-19T10:00');
    expect(nextHour(Date.parse('2026-11-19T09:57:00Z'), 'UTC')).toBe('2026-11-19T11:00');
  });
});
