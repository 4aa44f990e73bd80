/** The command line of the benchmarks. */
import { readArguments } from '../../../bench/harness/arguments';

const known = ['idle', 'http-me', 'http-me-limited', 'ask-1', 'ask-32'];

it('runs everything three times unless told otherwise', () => {
  expect(readArguments([], known)).toEqual({
    names: known,
    repeat: 3,
    quick: false,
    patient: false,
    points: [],
    show: 'run',
  });
});

it('takes names, whole or their beginnings, in the order of the list', () => {
  expect(readArguments(['ask', 'http-me'], known).names).toEqual(['http-me', 'ask-1', 'ask-32']);
  expect(readArguments(['http'], known).names).toEqual(['http-me', 'http-me-limited']);
});

it('repeats once when it is to be quick, unless told otherwise', () => {
  expect(readArguments(['--quick'], known)).toMatchObject({ quick: true, repeat: 1 });
  expect(readArguments(['--quick', '--repeat', '2'], known)).toMatchObject({ quick: true, repeat: 2 });
});

it.each(['0', '1.5', 'many', '101'])('refuses --repeat %s', (repeat) => {
  expect(() => readArguments(['--repeat', repeat], known)).toThrow('--repeat must be a whole number from 1 to 100');
});

it('names the benchmarks there are when it does not know one', () => {
  expect(() => readArguments(['speed'], known)).toThrow('there is no benchmark named speed; there are idle, http-me');
});

it('refuses options it does not have', () => {
  expect(() => readArguments(['--fast'], known)).toThrow('--fast');
});

it('waits for a quiet machine only when asked to', () => {
  expect(readArguments(['--patient'], known)).toMatchObject({ patient: true, repeat: 3 });
});

it('shows instead of running when asked to', () => {
  expect(readArguments(['--list'], known).show).toBe('list');
  expect(readArguments(['--markdown'], known).show).toBe('markdown');
  expect(readArguments(['--draw'], known).show).toBe('draw');
  expect(readArguments(['--simulate'], known).show).toBe('simulate');
  expect(readArguments(['-h'], known).show).toBe('help');
});

it('runs what stands apart only when it is asked for', () => {
  expect(readArguments([], known, ['growth-polls']).names).toEqual(known);
  expect(readArguments(['growth'], known, ['growth-polls', 'growth-nodes']).names).toEqual([
    'growth-polls',
    'growth-nodes',
  ]);
});

it('takes single points of a sweep', () => {
  expect(readArguments(['--points', '10,20000'], known).points).toEqual([10, 20_000]);
  expect(() => readArguments(['--points', '10,many'], known)).toThrow('--points must be whole numbers');
});
