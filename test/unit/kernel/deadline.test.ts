import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { DeadlineExceeded, withDeadline } from '../../../src/kernel/deadline';
import { standStill } from '../../support/processes/stand-still';

test('Work that never ends is given up after its deadline', async () => {
  const never = withDeadline('The oracle', 20, new Promise(() => {}));
  await expect(never).rejects.toThrow(new DeadlineExceeded('The oracle', 20));
});

test('An answer that arrived while the process was blocked does not time out', async () => {
  const bytes = withDeadline('The pool', 20, promisify(randomBytes)(16));
  standStill(200);
  expect(await bytes).toHaveLength(16);
});
