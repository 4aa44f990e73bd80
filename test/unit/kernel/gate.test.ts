import { Gate } from '../../../src/kernel/gate';

function held() {
  let release = () => {};
  const work = jest.fn(() => new Promise<void>((resolve) => (release = resolve)));
  return { work, release: () => release() };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('only so many are inside; the next enters when one leaves, in the order they came', async () => {
  const gate = new Gate({ atOnce: 1, waiting: 10, waitMs: 60_000 });
  const [first, second, third] = [held(), held(), held()];
  const all = [first, second, third].map(({ work }) => gate.through(work));
  await settle();
  expect([first, second, third].map(({ work }) => work.mock.calls.length)).toEqual([1, 0, 0]);
  first.release();
  await settle();
  expect([second, third].map(({ work }) => work.mock.calls.length)).toEqual([1, 0]);
  second.release();
  await settle();
  third.release();
  await Promise.all(all);
});

test('work that fails leaves its place to the next', async () => {
  const gate = new Gate({ atOnce: 1, waiting: 10, waitMs: 60_000 });
  await expect(gate.through(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await expect(gate.through(() => Promise.resolve('in'))).resolves.toBe('in');
});

test.each([
  ['the line is full', { waiting: 0, waitMs: 60_000 }],
  ['nobody leaves in time', { waiting: 10, waitMs: 20 }],
])('where %s, one is told when to come again', async (_, rule) => {
  const gate = new Gate({ atOnce: 1, ...rule });
  const inside = held();
  const first = gate.through(inside.work);
  await expect(gate.through(() => Promise.resolve())).rejects.toMatchObject({
    kind: 'unavailable',
    headers: { 'Retry-After': expect.stringMatching(/^[1-5]$/) },
  });
  inside.release();
  await first;
});
