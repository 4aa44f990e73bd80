/** Turns validation errors into sentences for people. */
import { z } from 'zod';

/** One problem with one value; `path` goes from the outermost name inwards. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

const KINDS: Readonly<Record<string, string>> = {
  array: 'must be a list',
  boolean: 'must be true or false',
  int: 'must be a whole number',
  number: 'must be a number',
  object: 'must be an object',
  record: 'must be an object',
  string: 'must be text',
};

const PATTERNS: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [/^Invalid input: expected (\w+)/, ([, kind = '']) => KINDS[kind] ?? `must be of type ${kind}`],
  [/^Invalid (?:option|input): expected (?:one of )?(".*")$/, ([, options = '']) => choiceOf(options)],
  [/^Too small: expected (?:string|array) to have >=1 /, () => 'must not be empty'],
  [
    /^Too (small|big): expected \w+ to have [<>]=(\d+) (\w+)/,
    ([, way, most, what]) => `must have ${limit(way)} ${most} ${what}`,
  ],
  [/^Too (small|big): expected \w+ to be [<>]=(-?\d+)/, ([, way, most]) => `must be ${limit(way)} ${most}`],
  [/^Invalid /, () => 'is not valid'],
];

const limit = (way: string | undefined): string => (way === 'small' ? 'at least' : 'at most');

function choiceOf(options: string): string {
  const words = options.split('|').filter((word) => word !== '""');
  return words.length === 1 ? `must be ${words[0]}` : `must be one of ${words.join(', ')}`;
}

/** Rewrites the validator's messages; messages of our own stay. */
export function plainWords(message: string): string {
  for (const [pattern, say] of PATTERNS) {
    const found = pattern.exec(message);
    if (found) return say(found);
  }
  return message;
}

function valueAt(raw: unknown, path: Issue['path']): unknown {
  let value = raw;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

/** One sentence for each wrong value. */
export function sayIssues(issues: readonly Issue[], raw: unknown): string {
  const sentences = new Map<string, string>();
  for (const { path, message } of issues) {
    const name = path.map(String).join('.') || 'body';
    if (sentences.has(name)) continue;
    const isMissing = valueAt(raw, path) === undefined && /^(Invalid|Too) /.test(message);
    // The only JSON values in a query are booleans.
    const words = message === 'must be JSON' ? KINDS['boolean']! : plainWords(message);
    sentences.set(name, `${name}: ${isMissing ? 'is required' : words}`);
  }
  return [...sentences.values()].join('; ') || 'Invalid request';
}

/** A union of schemas. If a value matches none of them, the message is the first one's. */
export const anyOf = <const T extends readonly z.core.SomeType[]>(options: T) =>
  z.union(options, { error: ({ errors }) => firstWords(errors as z.core.$ZodIssue[][]) });

const firstWords = (alternatives: z.core.$ZodIssue[][]): string | undefined =>
  alternatives[0]?.find(({ path }) => path.length === 0)?.message;
