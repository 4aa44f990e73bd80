/** Limits that a process counts in its own memory. */
import { openLocalRateLimit } from '../../../src/kernel/http/rate-limit';

const RULE = { seconds: 60, requests: 2 };

test('A caller is refused beyond the limit, and other callers are served', async () => {
  const limit = openLocalRateLimit(RULE);
  expect(await limit.count('ann')).toMatchObject({ 'X-RateLimit-Limit': '2', 'X-RateLimit-Remaining': '1' });
  expect(await limit.count('ann')).toMatchObject({ 'X-RateLimit-Remaining': '0' });
  await expect(limit.count('ann')).rejects.toMatchObject({ kind: 'too-many', headers: { 'Retry-After': '60' } });
  await limit.count('bob');
});

test('Endless callers do not fill the memory: the least recent caller is forgotten first', async () => {
  const limit = openLocalRateLimit({ seconds: 600, requests: 1 });
  await limit.count('first');
  await expect(limit.count('first')).rejects.toMatchObject({ kind: 'too-many' });
  for (let caller = 0; caller < 60_000; caller += 1) await limit.count(`caller ${caller}`);
  await limit.count('first');
  await expect(limit.count('caller 59999')).rejects.toMatchObject({ kind: 'too-many' });
});

test('Without a rule nobody is limited', async () => {
  const limit = openLocalRateLimit(null);
  for (let call = 0; call < 10; call += 1) expect(await limit.count('ann')).toEqual({});
});
