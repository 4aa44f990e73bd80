import type { TransformOptions } from '@jest/transform';
import { createTransformer } from '../../../scripts/lib/jest-transform';

const transformer = createTransformer({ jsc: { parser: { syntax: 'typescript' }, target: 'es2023' } });

const keyIn = (displayName: string, { text = 'let a: 1;', path = '/root/a.ts' } = {}) =>
  transformer.getCacheKey(text, path, {
    config: { rootDir: '/root', displayName },
    configString: displayName,
    instrument: false,
  } as unknown as TransformOptions<unknown>);

test('A transformed file is cached for all projects and never mistaken for another', () => {
  expect(keyIn('api')).toBe(keyIn('store'));
  expect(keyIn('api')).not.toBe(keyIn('api', { text: 'let b: 1;' }));
  expect(keyIn('api')).not.toBe(keyIn('api', { path: '/root/b.ts' }));
});
