import fc from 'fast-check';
import { z } from 'zod';
import { isTooDeep } from '../../../../src/kernel/text/json-depth';
import { flag, integer, jsonField, readIssues, text } from '../../../../src/kernel/http/params';
import { openRoutes } from '../../../../src/kernel/http/route';

const refusal = (schema: z.ZodType, value: unknown) => {
  const result = z.object({ x: schema }).safeParse(value === undefined ? {} : { x: value });
  return result.success ? result.data.x : readIssues(result.error)[0]!.refusal;
};

describe('Text parameters', () => {
  test('A text parameter is read as it was written, and the last of several counts', () => {
    expect(refusal(text, 'a')).toBe('a');
    expect(refusal(text, ['a', 'b'])).toBe('b');
    expect(refusal(text, 12)).toBe('12');
  });
  test('A text parameter that is missing, or no text, is refused', () => {
    expect(refusal(text, undefined)).toBe('missing');
    expect(refusal(text, { a: 1 })).toBe('bad-value');
    expect(refusal(text, [{ a: 1 }])).toBe('bad-value');
    expect(refusal(text, null)).toBe('bad-value');
  });
});

test('What a path names is a parameter of text, unless the route says otherwise', () => {
  const { params } = openRoutes.get('/users/:user_id/notes/:name', {
    summary: 'Get a note',
    answer: z.string(),
    params: { user_id: integer },
    run: ({ params: { user_id, name } }) => Promise.resolve(`${user_id.toFixed()} ${name.trim()}`),
  });
  expect(z.object(params).parse({ user_id: '7', name: ' a ' })).toEqual({ user_id: 7, name: ' a ' });
});

describe('Integer parameters', () => {
  test('An integer parameter accepts only whole numbers that are exact', () => {
    expect(refusal(integer, '-12')).toBe(-12);
    expect(refusal(integer, ' 7 ')).toBe(7);
    for (const bad of ['', '1.5', 'NaN', '0x10', '1e3', '9007199254740993', '--1', 'Infinity']) {
      expect(refusal(integer, bad)).toBe('bad-value');
    }
  });
});

describe('Flag parameters', () => {
  test('A flag parameter is read as JSON', () => {
    expect(refusal(flag, 'true')).toBe(true);
    expect(refusal(flag, false)).toBe(false);
    expect(refusal(flag, 'True')).toBe('not-json');
    expect(refusal(flag, '1')).toBe('wrong-type');
    expect(refusal(flag.optional(), undefined)).toBeUndefined();
  });
});

describe('JSON parameters', () => {
  const names = jsonField(z.array(z.object({ name: z.string() })));
  test('A JSON parameter names the path of a wrong value', () => {
    expect(refusal(names, '[{"name":"a"}]')).toEqual([{ name: 'a' }]);
    const result = z.object({ x: names }).safeParse({ x: '[{"name":"a"},{"name":5}]' });
    expect(readIssues(result.error!)[0]).toMatchObject({
      path: ['x', 1, 'name'],
      refusal: 'wrong-type',
      expected: 'string',
    });
  });
  test('A JSON parameter that is too deep is refused before it is parsed', () => {
    expect(refusal(jsonField(z.unknown()), '['.repeat(100_000))).toBe('not-json');
  });
});

describe('Depth of JSON', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

  test('The depth of JSON is counted as a parser would count it, ignoring brackets in strings', () => {
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
