import { randomBytes, scryptSync } from 'node:crypto';
import type { Fault } from '../../../../src/kernel/fault';
import { PasswordQueue } from '../../../../src/kernel/passwords/password-queue';
import { openPasswords } from '../../../../src/kernel/passwords/passwords';

const by = { address: '192.0.2.1', account: 'one' };
const strength = { guesses: () => Promise.resolve(1), close: () => Promise.resolve() };
const passwords = openPasswords({ passwordQueue: 32, passwordRounds: 5 }, strength);

/** In the format of the previous release. */
function firstHash(password: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(password, salt, 32, { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 });
  return `scrypt$${salt.toString('base64')}$${key.toString('base64')}`;
}

describe('Password hashes', () => {
  test('A password is checked against its hash, which names its cost, and no two hashes are equal', async () => {
    const hash = await passwords.hash('demo', by);
    expect(hash).toMatch(/^scrypt\$16384\$8\$5\$/);
    expect(hash.length).toBeLessThanOrEqual(120);
    expect(await passwords.check('demo', hash, by)).toBe(true);
    expect(await passwords.check('Demo', hash, by)).toBe(false);
    expect(await passwords.hash('demo', by)).not.toBe(hash);
    expect(passwords.isOutdated(hash)).toBe(false);
  });

  test('A password is accepted by a hash of the previous release, which counts as outdated', async () => {
    const hash = firstHash('demo');
    expect(await passwords.check('demo', hash, by)).toBe(true);
    expect(await passwords.check('Demo', hash, by)).toBe(false);
    expect(passwords.isOutdated(hash)).toBe(true);
  });

  test('A password is accepted by a hash of more rounds or fewer, which counts as outdated', async () => {
    const quick = openPasswords({ passwordQueue: 32, passwordRounds: 1 }, strength);
    const hash = await quick.hash('demo', by);
    expect(hash).toMatch(/^scrypt\$16384\$8\$1\$/);
    expect(await passwords.check('demo', hash, by)).toBe(true);
    expect([quick.isOutdated(hash), passwords.isOutdated(hash)]).toEqual([false, true]);
  });

  test.each(['scrypt$broken', '', 'md5$a$b', null])(
    'A password is refused if the stored hash is malformed: %j',
    async (stored) => {
      expect(await passwords.check('demo', stored, by)).toBe(false);
    },
  );
});

describe('Password queue', () => {
  /** Takes both slots, and returns the order in which the waiting callers enter. */
  function openQueue(most: number) {
    const queue = new PasswordQueue(most, 2);
    const entered: string[] = [];
    const refused: string[] = [];
    const ends: (() => void)[] = [];
    const hold = () =>
      queue.run({ address: 'first', account: 'first' }, () => new Promise<void>((end) => ends.push(end)));
    const held = [hold(), hold()];
    const waiting: Promise<unknown>[] = [];
    const ask = (address: string, account: string, name = `${address}/${account}`) => {
      const asked = queue.run({ address, account }, () => Promise.resolve(entered.push(name)));
      waiting.push(asked.catch((error: Fault) => refused.push(`${error.kind} ${name}`)));
    };
    const finish = async () => {
      for (const end of ends) end();
      await Promise.all([...held, ...waiting]);
      return { entered, refused };
    };
    return { ask, finish };
  }

  test('The password queue lets addresses take turns, and accounts within each of them', async () => {
    const { ask, finish } = openQueue(100);
    for (const account of ['a', 'a', 'a', 'b']) ask('crowd', account);
    ask('other', 'c');
    const { entered } = await finish();
    expect(entered.indexOf('other/c')).toBeLessThan(2);
    expect(entered.indexOf('crowd/b')).toBeLessThan(entered.lastIndexOf('crowd/a'));
    expect(entered).toHaveLength(5);
  });

  test('The password queue refuses requests beyond its length at once, with a Retry-After header', async () => {
    const queue = new PasswordQueue(1, 2);
    const never = () => new Promise<void>(() => {});
    for (const account of ['a', 'b', 'c']) void queue.run({ address: 'x', account }, never);
    const refusal = await queue.run({ address: 'x', account: 'd' }, never).catch((error: Fault) => error);
    expect(refusal).toMatchObject({ kind: 'too-many' });
    expect(Number((refusal as Fault).headers['Retry-After'])).toBeGreaterThan(0);
  });

  test('The password queue delays refusals for an address that keeps coming, but not for another one', async () => {
    const queue = new PasswordQueue(1, 2);
    const never = () => new Promise<void>(() => {});
    for (const account of ['a', 'b', 'c']) void queue.run({ address: 'x', account }, never);
    const refused: string[] = [];
    const ask = (address: string) =>
      queue.run({ address, account: 'c' }, never).catch(() => void refused.push(address));
    const began = performance.now();
    const asked = Promise.all(Array.from({ length: 302 }, () => ask('x')));
    await ask('y');
    expect(refused).toEqual([...Array.from({ length: 300 }, () => 'x'), 'y']);
    await asked;
    expect(refused).toHaveLength(303);
    expect(performance.now() - began).toBeGreaterThan(900);
  });

  test('The password queue makes room for another address, and for another account of the same address', async () => {
    const { ask, finish } = openQueue(4);
    for (let at = 0; at < 4; at += 1) ask('crowd', 'a', `crowd ${at}`);
    ask('other', 'b');
    ask('crowd', 'c');
    const { entered, refused } = await finish();
    expect(entered).toEqual(expect.arrayContaining(['other/b', 'crowd/c', 'crowd 0', 'crowd 1']));
    expect(refused.sort()).toEqual(['too-many crowd 2', 'too-many crowd 3']);
  });

  test('The password queue does not make room for another request of the address that fills it', async () => {
    const { ask, finish } = openQueue(3);
    for (const account of ['a', 'b', 'c', 'd']) ask('crowd', account);
    const { entered, refused } = await finish();
    expect(entered.sort()).toEqual(['crowd/a', 'crowd/b', 'crowd/c']);
    expect(refused).toEqual(['too-many crowd/d']);
  });
});
