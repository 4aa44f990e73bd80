/** Limits that a process counts in its own memory. */
import { openLocalRateLimit } from '../../../../src/kernel/admission/rate-limit';
import { until } from '../../../support/until';

const RULE = { seconds: 60, requests: 2 };
/** How many callers a limit of these tests remembers. */
const MANY = 500;

test('A caller is refused beyond the limit, and other callers are served', async () => {
  const limit = openLocalRateLimit(RULE);
  expect(await limit.count('ann')).toMatchObject({ 'X-RateLimit-Limit': '2', 'X-RateLimit-Remaining': '1' });
  expect(await limit.count('ann')).toMatchObject({ 'X-RateLimit-Remaining': '0' });
  await expect(limit.count('ann')).rejects.toMatchObject({ kind: 'too-many', headers: { 'Retry-After': '60' } });
  await limit.count('bob');
});

test('A rate limit evicts the least recent caller, so endless callers do not fill the memory', async () => {
  const limit = openLocalRateLimit({ seconds: 600, requests: 1 }, MANY);
  await limit.count('first');
  await expect(limit.count('first')).rejects.toMatchObject({ kind: 'too-many' });
  for (let caller = 0; caller <= MANY; caller += 1) await limit.count(`caller ${caller}`);
  await limit.count('first');
  await expect(limit.count(`caller ${MANY}`)).rejects.toMatchObject({ kind: 'too-many' });
});

test('No caller is limited without a rule', async () => {
  const limit = openLocalRateLimit(null);
  for (let call = 0; call < 10; call += 1) expect(await limit.count('ann')).toEqual({});
});

test.each([2, 1600])('A caller may take %i requests at once, and is then refused', async (requests) => {
  const limit = openLocalRateLimit({ seconds: 60, requests });
  const taken: boolean[] = [];
  for (let call = 0; call <= requests; call += 1) {
    taken.push(limit.take('ann'));
    await new Promise(setImmediate);
  }
  expect(taken.indexOf(false)).toBe(requests);
  await expect(limit.count('ann')).rejects.toMatchObject({ kind: 'too-many' });
  expect(limit.take('ann')).toBe(false);
  expect(limit.take('bob')).toBe(true);
});

test('A caller over the limit is refused however many others have used up theirs', async () => {
  const limit = openLocalRateLimit({ seconds: 600, requests: 1 }, MANY);
  for (let caller = 0; caller < MANY; caller += 1) await limit.count(`caller ${caller}`);
  expect(limit.take('late')).toBe(true);
  await new Promise(setImmediate);
  expect(limit.take('late')).toBe(false);
});

test('A caller that was refused is counted and served again when the window has ended', async () => {
  const limit = openLocalRateLimit({ seconds: 1, requests: 2 });
  await limit.count('ann');
  await limit.count('ann');
  expect(limit.take('ann')).toBe(false);
  await until(
    () =>
      limit.count('ann').then(
        () => true,
        () => false,
      ),
    (isCounted) => isCounted,
  );
  expect(limit.take('ann')).toBe(true);
});
