/** The command line of the benchmarks. */
import { readArguments } from '../../../bench/harness/arguments';

const known = ['idle', 'http-me', 'http-me-limited', 'job-request-1', 'job-request-32'];

it('The benchmarks all run three times by default', () => {
  expect(readArguments([], known)).toEqual({
    names: known,
    repeat: 3,
    quick: false,
    patient: false,
    points: [],
    show: 'run',
  });
});

it('A benchmark is chosen by its name or a prefix, and the order of the list is kept', () => {
  expect(readArguments(['job-request', 'http-me'], known).names).toEqual([
    'http-me',
    'job-request-1',
    'job-request-32',
  ]);
  expect(readArguments(['http'], known).names).toEqual(['http-me', 'http-me-limited']);
});

it('The option --quick runs each benchmark once, unless --repeat says otherwise', () => {
  expect(readArguments(['--quick'], known)).toMatchObject({ quick: true, repeat: 1 });
  expect(readArguments(['--quick', '--repeat', '2'], known)).toMatchObject({ quick: true, repeat: 2 });
});

it.each(['0', '1.5', 'many', '101'])('The option --repeat %s is refused', (repeat) => {
  expect(() => readArguments(['--repeat', repeat], known)).toThrow('--repeat must be a whole number from 1 to 100');
});

it('An unknown benchmark is refused with the names of the known ones', () => {
  expect(() => readArguments(['speed'], known)).toThrow('there is no benchmark named speed; there are idle, http-me');
});

it('An unknown option is refused', () => {
  expect(() => readArguments(['--fast'], known)).toThrow('--fast');
});

it('The option --patient waits for a quiet machine', () => {
  expect(readArguments(['--patient'], known)).toMatchObject({ patient: true, repeat: 3 });
});

it('The options that show something do so instead of running benchmarks', () => {
  expect(readArguments(['--list'], known).show).toBe('list');
  expect(readArguments(['--markdown'], known).show).toBe('markdown');
  expect(readArguments(['--draw'], known).show).toBe('draw');
  expect(readArguments(['--simulate'], known).show).toBe('simulate');
  expect(readArguments(['-h'], known).show).toBe('help');
});

it('A benchmark outside the default set runs only when it is named', () => {
  expect(readArguments([], known, ['growth-polls']).names).toEqual(known);
  expect(readArguments(['growth'], known, ['growth-polls', 'growth-nodes']).names).toEqual([
    'growth-polls',
    'growth-nodes',
  ]);
});

it('The option --points chooses single points of a sweep', () => {
  expect(readArguments(['--points', '10,20000'], known).points).toEqual([10, 20_000]);
  expect(() => readArguments(['--points', '10,many'], known)).toThrow('--points must be whole numbers');
});
