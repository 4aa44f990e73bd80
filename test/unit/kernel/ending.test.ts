import { getEventListeners } from 'node:events';
import { endingWith } from '../../../src/kernel/ending';

const aborted = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve('ended');
    signal.addEventListener('abort', () => resolve('ended'));
  });

test.each([0, 1])('Work ends when signal %d of two is aborted, and leaves no listener behind', async (which) => {
  const reasons = [new AbortController(), new AbortController()];
  const signals = reasons.map(({ signal }) => signal);
  const work = endingWith(signals, ({ signal }) => aborted(signal));
  reasons[which]!.abort();
  expect(await work).toBe('ended');
  expect(signals.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([]);
});

test('Work that begins after a signal was aborted ends at once', async () => {
  expect(await endingWith([AbortSignal.abort()], ({ signal }) => aborted(signal))).toBe('ended');
});

test('Work that fails leaves no listener behind', async () => {
  const { signal } = new AbortController();
  await expect(endingWith([signal], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
