/** Key lookups are limited by the address that sends unknown keys. */
import { KeyLookups } from '../../../../src/kernel/secrets/key-lookups';

const shown = (keyHash: string, from = '192.0.2.1') => ({ keyHash, from });
const unknown = () => Promise.resolve(undefined);
const known = () => Promise.resolve('owner');
const TOO_MANY = { kind: 'too-many', headers: { 'Retry-After': expect.stringMatching(/^([1-5]?\d|60)$/) } };

test('An address that sent too many unknown keys is refused, and another address is not', async () => {
  const keys = new KeyLookups({ seconds: 60, requests: 2 });
  for (const key of ['a', 'b']) expect(await keys.find(shown(key), unknown)).toBeUndefined();
  const look = jest.fn(unknown);
  await expect(keys.find(shown('c'), look)).rejects.toMatchObject(TOO_MANY);
  expect(look).not.toHaveBeenCalled();
  expect(await keys.find(shown('c', '198.51.100.1'), known)).toBe('owner');
});

test('A key that was found recently is looked up, whatever else its address has sent', async () => {
  const keys = new KeyLookups({ seconds: 60, requests: 1 });
  expect(await keys.find(shown('good'), known)).toBe('owner');
  await keys.find(shown('a'), unknown);
  await expect(keys.find(shown('b'), unknown)).rejects.toMatchObject(TOO_MANY);
  expect(await keys.find(shown('good'), known)).toBe('owner');
});

test('Concurrent lookups count before their results are known, and known keys stop counting then', async () => {
  const keys = new KeyLookups({ seconds: 60, requests: 2 });
  const many = Array.from({ length: 5 }, (_, at) => keys.find(shown(`key ${at}`), known));
  const results = await Promise.allSettled(many);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  for (const key of ['x', 'y']) expect(await keys.find(shown(key), unknown)).toBeUndefined();
  await expect(keys.find(shown('z'), unknown)).rejects.toMatchObject(TOO_MANY);
});

test('A lookup that fails does not count as an unknown key', async () => {
  const keys = new KeyLookups({ seconds: 60, requests: 1 });
  await expect(keys.find(shown('a'), () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await keys.find(shown('a'), unknown)).toBeUndefined();
});
