import type { TransformOptions } from '@jest/transform';
import { createTransformer } from '../../../scripts/lib/jest-transform';

const transformer = createTransformer({ jsc: { parser: { syntax: 'typescript' }, target: 'es2023' } });

const keyIn = (displayName: string, { text = 'let a: 1;', path = '/root/a.ts' } = {}) =>
  transformer.getCacheKey(text, path, {
    config: { rootDir: '/root', displayName },
    configString: displayName,
    instrument: false,
  } as unknown as TransformOptions<unknown>);

test('What was transformed for one project is kept for all, and nothing else is taken for it', () => {
  expect(keyIn('api')).toBe(keyIn('store'));
  expect(keyIn('api')).not.toBe(keyIn('api', { text: 'let b: 1;' }));
  expect(keyIn('api')).not.toBe(keyIn('api', { path: '/root/b.ts' }));
});
