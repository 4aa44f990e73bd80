import fc from 'fast-check';
import { z } from 'zod';
import { isTooDeep } from '../../../src/kernel/json-depth';
import { flag, integer, jsonField, readIssues, text } from '../../../src/kernel/http/params';

const refusal = (schema: z.ZodType, value: unknown) => {
  const result = z.object({ x: schema }).safeParse(value === undefined ? {} : { x: value });
  return result.success ? result.data.x : readIssues(result.error)[0]!.refusal;
};

describe('text', () => {
  test('is what was written; the last of several', () => {
    expect(refusal(text, 'a')).toBe('a');
    expect(refusal(text, ['a', 'b'])).toBe('b');
    expect(refusal(text, 12)).toBe('12');
  });
  test('is missing, or no text at all', () => {
    expect(refusal(text, undefined)).toBe('missing');
    expect(refusal(text, { a: 1 })).toBe('bad-value');
    expect(refusal(text, [{ a: 1 }])).toBe('bad-value');
    expect(refusal(text, null)).toBe('bad-value');
  });
});

describe('integer', () => {
  test('takes whole numbers that are exact', () => {
    expect(refusal(integer, '-12')).toBe(-12);
    expect(refusal(integer, ' 7 ')).toBe(7);
    for (const bad of ['', '1.5', 'NaN', '0x10', '1e3', '9007199254740993', '--1', 'Infinity']) {
      expect(refusal(integer, bad)).toBe('bad-value');
    }
  });
});

describe('flag', () => {
  test('is JSON', () => {
    expect(refusal(flag, 'true')).toBe(true);
    expect(refusal(flag, false)).toBe(false);
    expect(refusal(flag, 'True')).toBe('not-json');
    expect(refusal(flag, '1')).toBe('wrong-type');
    expect(refusal(flag.optional(), undefined)).toBeUndefined();
  });
});

describe('JSON in a field', () => {
  const names = jsonField(z.array(z.object({ name: z.string() })));
  test('names the place that is wrong', () => {
    expect(refusal(names, '[{"name":"a"}]')).toEqual([{ name: 'a' }]);
    const result = z.object({ x: names }).safeParse({ x: '[{"name":"a"},{"name":5}]' });
    expect(readIssues(result.error!)[0]).toMatchObject({
      path: ['x', 1, 'name'],
      refusal: 'wrong-type',
      expected: 'string',
    });
  });
  test('refuses depth before it is parsed', () => {
    expect(refusal(jsonField(z.unknown()), '['.repeat(100_000))).toBe('not-json');
  });
});

describe('the depth of JSON', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

  test('is counted as a parser would, whatever stands in strings', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const depth = depthOf(value);
        expect(isTooDeep(JSON.stringify(value), depth)).toBe(false);
        if (depth > 0) expect(isTooDeep(JSON.stringify(value), depth - 1)).toBe(true);
      }),
    );
    expect(isTooDeep('"[[[[\\"[[["', 1)).toBe(false);
  });
});
