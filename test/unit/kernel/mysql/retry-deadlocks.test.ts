import { retryDeadlocks } from '../../../../src/kernel/mysql/retry-deadlocks';

const failure = (errno: number) => Object.assign(new Error('refused'), { errno });

function failing(times: number, errno: number) {
  let attempts = 0;
  return {
    get attempts() {
      return attempts;
    },
    work: () => {
      attempts += 1;
      return attempts <= times ? Promise.reject(failure(errno)) : Promise.resolve(attempts);
    },
  };
}

test.each([
  ['A deadlock', 1213],
  ['A lock that was waited for too long', 1205],
])('%s makes the transaction repeat its work until it succeeds', async (_, errno) => {
  const two = failing(2, errno);
  expect(await retryDeadlocks(two.work)).toBe(3);
});

test('The fourth MySQL deadlock in a row is passed to the caller', async () => {
  const always = failing(Infinity, 1213);
  await expect(retryDeadlocks(always.work)).rejects.toMatchObject({ errno: 1213 });
  expect(always.attempts).toBe(4);
});

test('Work that fails with an error other than a deadlock is not repeated', async () => {
  const duplicate = failing(Infinity, 1062);
  await expect(retryDeadlocks(duplicate.work)).rejects.toMatchObject({ errno: 1062 });
  expect(duplicate.attempts).toBe(1);
});
