/** The organisation's linkifiers: patterns that become links. */
import { Cache } from '../../../../kernel/cache/cache';
import { mayBegin } from '../boundary';
import type { Linkifier } from '../context';
import type { Span } from '../rendering';
import { matchAt, mayStart, openBudget, type Budget } from './matcher';
import { PatternMistake, readPattern } from './pattern';
import { compileProgram, type Program } from './program';
import { addressOf, groupsIn, readFormat, readTemplate, type AddressPart } from './url-template';
import { hasFewWays } from './ways';

interface Compiled {
  readonly program: Program;
  readonly url: readonly AddressPart[];
}

/** Its pattern, and the address in one of two spellings: see url-template.ts. */
type Written = Omit<Linkifier, 'id'>;

/** Organisations have few patterns. This many stay compiled across all organisations. */
const BOUNDS = {
  entries: 1000,
  bytes: 16 * 1024 * 1024,
  // A program has several instructions per character of its pattern.
  weigh: (_: object, key: string) => 1000 + 100 * key.length,
};
/** Also caches unsafe patterns, because compiling them again would take as long. */
const programs = new Cache<string, { readonly compiled: Compiled | undefined }>(BOUNDS);

/** Returns what is wrong with a linkifier, or undefined. Accepted patterns run safely here and in clients. */
export function linkifierMistake(pattern: string, urlFormat: string, urlTemplate?: string): string | undefined {
  try {
    return compile({ pattern, urlFormat, ...(urlTemplate === undefined ? {} : { urlTemplate }) })
      ? undefined
      : 'too long';
  } catch (error) {
    if (error instanceof PatternMistake) return error.message;
    throw error;
  }
}

function compile({ pattern, urlFormat, urlTemplate }: Written): Compiled | undefined {
  const program = compileProgram(readPattern(pattern));
  const inBrowsers = compileProgram(readPattern(pattern, 'browser'));
  if (!program || !inBrowsers) return undefined;
  if (!hasFewWays(program) || !hasFewWays(inBrowsers)) throw new PatternMistake('it does not match in linear time');
  const url = typeof urlTemplate === 'string' ? readTemplate(urlTemplate) : readFormat(urlFormat);
  if (!groupsIn(url).every((group) => program.names.includes(group)))
    throw new PatternMistake('the address names no group');
  if (program.names.length === 0) throw new PatternMistake('it names no group');
  if (matchAt(program, '', 0, openBudget())) throw new PatternMistake('it matches nothing at all');
  return { program, url };
}

/** A pattern that cannot run safely renders nothing. */
function compiled(linkifier: Linkifier): Compiled | undefined {
  const key = [linkifier.pattern, linkifier.urlFormat, linkifier.urlTemplate ?? ''].join('\n');
  const known = programs.get(key);
  if (known) return known.compiled;
  let result: Compiled | undefined;
  try {
    result = compile(linkifier);
  } catch (error) {
    if (!(error instanceof PatternMistake)) throw error;
  }
  programs.set(key, { compiled: result });
  return result;
}

const ready = new WeakMap<readonly Linkifier[], readonly Compiled[]>();

function readyOnes(linkifiers: readonly Linkifier[]): readonly Compiled[] {
  let all = ready.get(linkifiers);
  if (!all) {
    all = linkifiers.map(compiled).filter((one) => one !== undefined);
    ready.set(linkifiers, all);
  }
  return all;
}

/** In the order of the linkifiers: if two match at one position, the earlier one comes first. */
export function findLinkifierMatches(text: string, linkifiers: readonly Linkifier[], budget: Budget): Span[] {
  const all = readyOnes(linkifiers);
  if (all.length === 0) return [];
  const starts: number[] = [];
  for (let start = 0; start < text.length; start += 1) if (mayBegin(text, start)) starts.push(start);
  return all.flatMap((one) => matchesOf(one, text, starts, budget));
}

function matchesOf({ program, url }: Compiled, text: string, starts: readonly number[], budget: Budget): Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const start of starts) {
    if (start < end || !mayStart(program, text, start)) continue;
    const match = matchAt(program, text, start, budget);
    if (budget.left < 0) break;
    if (!match || match.end === start) continue;
    spans.push({ start, end: match.end, href: addressOf(url, match.groups) });
    end = match.end;
  }
  return spans;
}
