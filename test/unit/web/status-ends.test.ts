import { secondsOf } from '../../../web/chat/people/status-ends';

const local = (...parts: [number, number, number]): number => new Date(...parts).getTime() / 1000;

test('A status ends after minutes, at the next midnight, at the end of Sunday, or never', () => {
  // A Wednesday.
  const now = new Date(2026, 10, 18, 15, 30);
  const seconds = Math.floor(now.getTime() / 1000);
  expect(secondsOf('never', now)).toBeNull();
  expect(secondsOf('half', now)).toBe(seconds + 1800);
  expect(secondsOf('four', now)).toBe(seconds + 4 * 3600);
  expect(secondsOf('today', now)).toBe(local(2026, 10, 19));
  expect(secondsOf('week', now)).toBe(local(2026, 10, 23));
});

test('On a Sunday the week ends at midnight', () => {
  expect(secondsOf('week', new Date(2026, 10, 22, 9))).toBe(local(2026, 10, 23));
});
