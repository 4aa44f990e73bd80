import type { Busy } from '../../../../src/kernel/jobs/busy';
import { openTenantShares } from '../../../../src/kernel/mailbox/worker';

const waitOf = (work: Promise<void>) =>
  work.then(
    () => 0,
    (error: unknown) => (error as Busy).retryMs,
  );

test('A tenant gets half of the turns, and its addresses wait longer the more they are, up to a limit', async () => {
  const take = openTenantShares(4);
  let end = () => {};
  const open = new Promise<void>((resolve) => (end = resolve));
  const taken = ['a', 'b'].map((address) => take('many', address, () => open));
  const waits: number[] = [];
  for (let count = 0; count < 100; count += 1) {
    waits.push(await waitOf(take('many', `more-${count}`, () => open)));
  }
  expect([waits[0], waits[2], waits[99]]).toEqual([250, 500, 5000]);
  // The same address again does not count as another.
  expect(await waitOf(take('many', 'more-99', () => open))).toBe(5000);
  await take('few', 'x', () => Promise.resolve());
  end();
  await Promise.all(taken);
  await take('many', 'more-0', () => Promise.resolve());
  expect(await waitOf(take('many', 'more-1', () => Promise.resolve()))).toBe(0);
});
