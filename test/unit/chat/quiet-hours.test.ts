import { isQuietAt } from '../../../src/chat/model/users/quiet-hours';

const night = { enable_quiet_hours: true, quiet_hours_from: '22:00', quiet_hours_to: '06:30' };
const at = (time: string) => new Date(`2026-11-${time}:00Z`);

// The 16th is a Monday.
test.each([
  ['before they begin', '16T21:59', false],
  ['when they begin', '16T22:00', true],
  ['after midnight', '17T06:29', true],
  ['when they end', '17T06:30', false],
])('Quiet hours over midnight: %s', (_, time, isQuiet) => {
  expect(isQuietAt(night, '', at(time))).toBe(isQuiet);
});

test.each([
  ['in the morning', '16T09:00', false],
  ['at noon', '16T12:30', true],
  ['in the evening', '16T20:00', false],
])('Quiet hours within a day: %s', (_, time, isQuiet) => {
  expect(isQuietAt({ ...night, quiet_hours_from: '12:00', quiet_hours_to: '13:00' }, '', at(time))).toBe(isQuiet);
});

test('Equal times are a whole day, and none are quiet where they are off', () => {
  const whole = { ...night, quiet_hours_from: '09:00', quiet_hours_to: '09:00' };
  expect(isQuietAt(whole, '', at('16T08:59'))).toBe(true);
  expect(isQuietAt(whole, '', at('16T09:00'))).toBe(true);
  expect(isQuietAt({ ...whole, enable_quiet_hours: false }, '', at('16T09:00'))).toBe(false);
});

test('A day counts as that on which they begin', () => {
  const fridays = { ...night, quiet_hours_days: '5' };
  expect(isQuietAt(fridays, '', at('20T23:00'))).toBe(true);
  expect(isQuietAt(fridays, '', at('21T05:00'))).toBe(true);
  expect(isQuietAt(fridays, '', at('21T23:00'))).toBe(false);
  expect(isQuietAt(fridays, '', at('20T05:00'))).toBe(false);
});

test('They are in the time zone of their user, also over the end of summer time', () => {
  expect(isQuietAt(night, 'Asia/Tokyo', at('16T13:00'))).toBe(true);
  expect(isQuietAt(night, 'Asia/Tokyo', at('16T22:00'))).toBe(false);
  const berlin = (time: string) => isQuietAt(night, 'Europe/Berlin', new Date(time));
  expect(berlin('2026-10-24T20:00:00Z')).toBe(true);
  expect(berlin('2026-10-25T05:29:00Z')).toBe(true);
  expect(berlin('2026-10-25T05:30:00Z')).toBe(false);
});
