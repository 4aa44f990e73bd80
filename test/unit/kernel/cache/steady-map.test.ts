import { setImmediate as immediate } from 'node:timers/promises';
import fc from 'fast-check';
import { SteadyMap } from '../../../../src/kernel/cache/steady-map';
import { collectGarbage } from '../../../support/garbage';

test('A steady map has the entries of a Map, whatever is set and deleted', () => {
  const step = fc.record({ key: fc.integer({ min: 0, max: 30 }), value: fc.option(fc.integer()) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const [steady, plain] = [new SteadyMap<number, number>(), new Map<number, number>()];
      for (const { key, value } of steps) {
        for (const map of [steady, plain]) {
          if (value === null) map.delete(key);
          else map.set(key, value);
        }
        expect(steady.size).toBe(plain.size);
        expect(steady.get(key)).toBe(plain.get(key));
      }
      expect(new Map(steady.entries())).toEqual(plain);
      expect(new Set(steady.values())).toEqual(new Set(plain.values()));
    }),
  );
});

test('Keys that never come back are forgotten', async () => {
  const steady = new SteadyMap<object, true>();
  const refs = Array.from({ length: 5000 }, () => {
    const key = {};
    steady.set(key, true);
    steady.delete(key);
    return new WeakRef(key);
  });
  // A WeakRef keeps its target until the end of the current turn.
  await immediate();
  collectGarbage();
  expect(refs.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(1100);
  expect(steady.size).toBe(0);
});

test('Entries that are deleted during a walk over all of them are left out', () => {
  const steady = new SteadyMap<number, string>();
  for (let key = 0; key < 3000; key += 1) steady.set(key, `${key}`);
  const seen: string[] = [];
  for (const value of steady.values()) {
    seen.push(value);
    if (value === '0') for (let key = 1; key < 2999; key += 1) steady.delete(key);
  }
  expect(seen).toEqual(['0', '2999']);
});
