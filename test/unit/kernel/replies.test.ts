import { getEventListeners } from 'node:events';
import type { Kernel } from '../../../src/kernel/kernel';
import { Replies } from '../../../src/kernel/replies';

/** Nothing is published: every reply is found by reading the rows. */
const quiet = {
  channel: { listen: () => Promise.resolve() },
  lifecycle: { on: () => undefined },
  log: { debug: () => undefined },
  settings: { jobReplyPollMs: 5 },
} as unknown as Kernel;

const repliesTo = (isOver: (id: string) => boolean) =>
  new Replies<{ id: string }>(quiet, {
    channel: 'test',
    among: (ids) => Promise.resolve(ids.filter(isOver).map((id) => ({ id }))),
  });

test('A wait that got a reply or timed out leaves no listener on its abort signal', async () => {
  const replies = repliesTo((id) => id === 'over');
  const { signal } = new AbortController();
  expect(await replies.wait('over', 60_000, signal)).toEqual({ id: 'over' });
  expect(await replies.wait('late', 20, signal)).toBeUndefined();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(replies.waiting).toBe(0);
});

test('A wait that is aborted, even before it began, ends without a reply', async () => {
  const off = new AbortController();
  const replies = repliesTo(() => false);
  const waited = replies.wait('never', 60_000, off.signal);
  off.abort();
  expect(await waited).toBeUndefined();
  expect(await replies.wait('never', 60_000, off.signal)).toBeUndefined();
  expect(replies.waiting).toBe(0);
});
