// The order in which jest runs test files.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SLOW } from '../../../scripts/lib/slow-test-files';
import { mix } from '../../../scripts/lib/slow-tests-first';

test('Every file in the list of slow test files exists', () => {
  const gone = Object.keys(SLOW).filter((file) => !existsSync(join(__dirname, '../../..', file)));
  expect(gone).toEqual([]);
});

test('The order puts one other test file after every two slow ones, and loses none', () => {
  expect(mix(['1', '2', '3', '4', '5'], ['a', 'b', 'c', 'd'])).toEqual(['1', '2', 'a', '3', '4', 'b', '5', 'c', 'd']);
  expect(mix(['1', '2', '3', '4', '5'], ['a'])).toEqual(['1', '2', 'a', '3', '4', '5']);
  expect(mix([], ['a', 'b'])).toEqual(['a', 'b']);
  expect(mix(['1'], [])).toEqual(['1']);
});
