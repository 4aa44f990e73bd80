import { openLifecycle } from '../../../src/kernel/lifecycle';
import { openLog } from '../../../src/kernel/log';

const log = openLog('silent', 'test');

test('A draining process closes its stages from the outside in, one after the other', async () => {
  const lifecycle = openLifecycle(log, { noticeMs: 5, deadlineMs: 1000 });
  const ended: string[] = [];
  const stages = ['connections', 'jobs', 'listeners', 'outbox', 'sockets', 'requests'] as const;
  for (const stage of stages) {
    lifecycle.on(stage, stage, async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      ended.push(stage);
    });
  }
  lifecycle.draining.addEventListener('abort', () => ended.push('draining'));
  expect(lifecycle.ready()).toBe(true);
  const drained = lifecycle.drain();
  expect(lifecycle.ready()).toBe(false);
  expect(lifecycle.draining.aborted).toBe(false);
  expect(await drained).toBe(true);
  expect(ended).toEqual(['draining', 'requests', 'sockets', 'listeners', 'jobs', 'outbox', 'connections']);
});

test('A part that fails to close does not stop the others', async () => {
  const lifecycle = openLifecycle(log, { noticeMs: 0, deadlineMs: 1000 });
  let closed = false;
  lifecycle.on('requests', 'broken', () => Promise.reject(new Error('no')));
  lifecycle.on('connections', 'fine', () => void (closed = true));
  expect(await lifecycle.drain()).toBe(true);
  expect(closed).toBe(true);
});

test('A drain gives up at its deadline, and a second call does not drain again', async () => {
  const lifecycle = openLifecycle(log, { noticeMs: 0, deadlineMs: 30 });
  let times = 0;
  lifecycle.on('requests', 'count', () => void (times += 1));
  lifecycle.on('jobs', 'never', () => new Promise(() => {}));
  expect(await Promise.all([lifecycle.drain(), lifecycle.drain()])).toEqual([false, false]);
  expect(times).toBe(1);
});
