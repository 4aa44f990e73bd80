import { getEventListeners } from 'node:events';
import { endingWith, endingWithin } from '../../../src/kernel/ending';
import { amidCollections } from '../../support/garbage';

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

describe('Work with a deadline', () => {
  const never = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

  test('The deadline ends the work although garbage is collected meanwhile', async () => {
    await expect(amidCollections(endingWithin(300, never))).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('A signal ends the work before the deadline', async () => {
    const { signal, ...rest } = { signal: AbortSignal.abort(), name: 'AbortError' };
    const work = endingWithin(3_600_000, async (own) => own.throwIfAborted(), [signal]);
    await expect(work).rejects.toMatchObject(rest);
  });
});
