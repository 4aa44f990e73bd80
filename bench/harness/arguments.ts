/** Parses the command line. */
import { parseArgs } from 'node:util';

export interface Wanted {
  readonly names: readonly string[];
  readonly repeat: number;
  readonly quick: boolean;
  readonly patient: boolean;
  /** Only these points of a sweep; the others are kept. Empty means all. */
  readonly points: readonly number[];
  readonly show: 'run' | 'list' | 'markdown' | 'draw' | 'simulate' | 'help';
}

export const USAGE = `npm run bench [-- name or beginning of names …] [--repeat 3] [--quick | --patient]
  --quick     one short repeat each, to see that all of it works; kept apart from the real results
  --patient   takes again whatever other work on the machine has disturbed, for up to ten minutes each
  --points    only these points of a sweep, such as 10,100; the others are kept as they are
  --list      the benchmarks there are
  --draw      the pictures of the stored sweeps again, without running anything
  --simulate  the table of docs/SCALING.md: larger clusters, reckoned with the costs that were measured
  --markdown  the table of the stored results, without running anything`;

const MAX_REPEATS = 100;

/**
 * Throws an Error that says what is wrong. A prefix selects all benchmarks that start with it. Those in `apart` run
 * only on request.
 */
export function readArguments(
  args: readonly string[],
  known: readonly string[],
  apart: readonly string[] = [],
): Wanted {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      repeat: { type: 'string' },
      quick: { type: 'boolean', default: false },
      points: { type: 'string' },
      patient: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      draw: { type: 'boolean', default: false },
      simulate: { type: 'boolean', default: false },
      markdown: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const repeat = Number(values.repeat ?? (values.quick ? 1 : 3));
  if (!Number.isInteger(repeat) || repeat < 1 || repeat > MAX_REPEATS) {
    throw new Error(`--repeat must be a whole number from 1 to ${MAX_REPEATS}, not "${values.repeat}"`);
  }
  const show = (['help', 'list', 'markdown', 'draw', 'simulate'] as const).find((each) => values[each]) ?? 'run';
  const { quick, patient } = values;
  return { names: namesOf(positionals, known, apart), repeat, quick, patient, points: pointsOf(values.points), show };
}

function pointsOf(text: string | undefined): number[] {
  const points = text === undefined ? [] : text.split(',').map(Number);
  if (points.some((point) => !Number.isInteger(point) || point < 1)) {
    throw new Error(`--points must be whole numbers with commas between them, not "${text}"`);
  }
  return points;
}

function namesOf(asked: readonly string[], usual: readonly string[], apart: readonly string[]): string[] {
  if (asked.length === 0) return [...usual];
  const known = [...usual, ...apart];
  // "web" means web-load and the like, not webhooks-drain.
  const meant = (word: string) =>
    [[word], ...['-', ''].map((end) => known.filter((name) => name.startsWith(word + end)))].find(
      (names) => names.length > 0 && names.every((name) => known.includes(name)),
    ) ?? [];
  const strangers = asked.filter((word) => meant(word).length === 0);
  if (strangers.length > 0) {
    throw new Error(`there is no benchmark named ${strangers.join(', ')}; there are ${known.join(', ')}`);
  }
  const all = new Set(asked.flatMap(meant));
  return known.filter((name) => all.has(name));
}
