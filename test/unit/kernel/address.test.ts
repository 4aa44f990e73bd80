import fc from 'fast-check';
import { redisKey, tenantOf } from '../../../src/kernel/actor/address';
import { installationKey, installationTag } from '../../../src/kernel/redis/keys';

const keyOf = (product: string, tenant: string, id: string) =>
  redisKey('ns', { tenant: tenantOf(product, tenant), kind: 'queue', id });

test('A Redis key has its tenant as its hash tag', () => {
  expect(keyOf('chat', '7', 'abc')).toBe('ns:{chat:7}:queue:abc');
  expect(redisKey('ns', { tenant: tenantOf('tel', 'x'), kind: 'presence', id: '' })).toBe('ns:{tel:x}:presence');
});

test('No text can leave its part of a Redis key, so different parts make different keys', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ':', '{', '}', '%', '3', '/', '*', ' ', 'é') });
  fc.assert(
    fc.property(fc.tuple(text, text), fc.tuple(text, text), (a, b) => {
      const same = a[0] === b[0] && a[1] === b[1];
      expect(keyOf('chat', a[0], `x${a[1]}`) === keyOf('chat', b[0], `x${b[1]}`)).toBe(same);
      expect(keyOf('chat', a[0], a[1])).toMatch(/^ns:\{chat:[^:{}]*\}:queue(:[^:{}]+)?$/);
    }),
  );
});

test('Redis keys of the installation lie in the slot of its queues', () => {
  const tagIn = (key: string) => /\{([^}]*)\}/.exec(key)?.[1];
  expect(tagIn(installationKey('party', 'workers'))).toBe(tagIn(`${installationTag('party')}:mail:wait`));
  expect(installationKey('party', 'workers')).toBe('party:{party:jobs}:workers');
});
