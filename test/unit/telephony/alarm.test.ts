import { alarmIn } from '../../../src/telephony/socket/alarm';

const DAY_MS = 86_400_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test.each([1, 5000, 60 * DAY_MS])('An alarm set for %d ms rings then, and every minute until it is cancelled', (ms) => {
  const ring = jest.fn();
  const callOff = alarmIn(ms, ring);
  jest.advanceTimersByTime(ms - 1);
  expect(ring).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(ring).toHaveBeenCalledTimes(1);
  jest.advanceTimersByTime(60_000);
  expect(ring).toHaveBeenCalledTimes(2);
  callOff();
  jest.advanceTimersByTime(DAY_MS);
  expect(ring).toHaveBeenCalledTimes(2);
});

test('An alarm that was cancelled does not ring, even after the longest timer of Node', () => {
  const ring = jest.fn();
  const callOff = alarmIn(60 * DAY_MS, ring);
  jest.advanceTimersByTime(30 * DAY_MS);
  callOff();
  jest.advanceTimersByTime(60 * DAY_MS);
  expect(ring).not.toHaveBeenCalled();
});
