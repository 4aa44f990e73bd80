/** What was asked for on the command line. */
import { parseArgs } from 'node:util';

export interface Wanted {
  readonly names: readonly string[];
  readonly repeat: number;
  readonly quick: boolean;
  readonly patient: boolean;
  readonly show: 'run' | 'list' | 'markdown' | 'help';
}

export const USAGE = `npm run bench [-- name or beginning of names …] [--repeat 3] [--quick | --patient]
  --quick     one short repeat each, to see that all of it works; kept apart from the real results
  --patient   takes again whatever other work on the machine has disturbed, for up to ten minutes each
  --list      the benchmarks there are
  --markdown  the table of the stored results, without running anything`;

const MOST_REPEATS = 100;

/** Throws an Error that says what is wrong. The beginning of a name stands for all that have it. */
export function readArguments(args: readonly string[], known: readonly string[]): Wanted {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      repeat: { type: 'string' },
      quick: { type: 'boolean', default: false },
      patient: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      markdown: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const repeat = Number(values.repeat ?? (values.quick ? 1 : 3));
  if (!Number.isInteger(repeat) || repeat < 1 || repeat > MOST_REPEATS) {
    throw new Error(`--repeat must be a whole number from 1 to ${MOST_REPEATS}, not "${values.repeat}"`);
  }
  const show = values.help ? 'help' : values.list ? 'list' : values.markdown ? 'markdown' : 'run';
  return { names: namesOf(positionals, known), repeat, quick: values.quick, patient: values.patient, show };
}

function namesOf(asked: readonly string[], known: readonly string[]): string[] {
  if (asked.length === 0) return [...known];
  // "web" is web-load and its like, not webhooks-drain.
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
