/** The organisation's linkifiers: patterns that become links. */
import { Cache } from '../../../../kernel/cache/cache';
import { mayBegin } from '../boundary';
import type { Linkifier } from '../context';
import type { Span } from '../rendering';
import { matchAt, mayStart, openBudget, type Budget } from './matcher';
import { PatternMistake, readPattern } from './pattern';
import { compileProgram, type Program } from './program';
import { hasFewWays } from './ways';

interface Compiled {
  readonly program: Program;
  readonly url: readonly UrlPart[];
}

/** Literal text, or the name of a group to insert. */
type UrlPart = { readonly text: string } | { readonly group: string };

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
export function linkifierMistake(pattern: string, urlFormat: string): string | undefined {
  try {
    return compile(pattern, urlFormat) ? undefined : 'too long';
  } catch (error) {
    if (error instanceof PatternMistake) return error.message;
    throw error;
  }
}

function compile(pattern: string, urlFormat: string): Compiled | undefined {
  const program = compileProgram(readPattern(pattern));
  const inBrowsers = compileProgram(readPattern(pattern, 'browser'));
  if (!program || !inBrowsers) return undefined;
  if (!hasFewWays(program) || !hasFewWays(inBrowsers)) throw new PatternMistake('it does not match in linear time');
  const url = readFormat(urlFormat);
  for (const part of url) {
    if ('group' in part && !program.names.includes(part.group)) throw new PatternMistake('the address names no group');
  }
  if (program.names.length === 0) throw new PatternMistake('it names no group');
  if (matchAt(program, '', 0, openBudget())) throw new PatternMistake('it matches nothing at all');
  return { program, url };
}

/** Python's format: `%(name)s`, and `%%` for a percent sign. */
function readFormat(format: string): UrlPart[] {
  if (!/^https?:\/\//.test(format)) throw new PatternMistake('the address is no web address');
  const parts: UrlPart[] = [];
  for (const [text] of format.matchAll(/%\((\w+)\)s|%%|%|[^%]+/g)) {
    if (text === '%') throw new PatternMistake('a percent sign that stands alone');
    if (text === '%%') parts.push({ text: '%' });
    else parts.push(text.startsWith('%') ? { group: text.slice(2, -2) } : { text });
  }
  return parts;
}

/** A pattern that cannot run safely renders nothing. */
function compiled({ pattern, urlFormat }: Linkifier): Compiled | undefined {
  const key = `${pattern}\n${urlFormat}`;
  const known = programs.get(key);
  if (known) return known.compiled;
  let result: Compiled | undefined;
  try {
    result = compile(pattern, urlFormat);
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
    const href = url.map((part) => ('text' in part ? part.text : match.groups[part.group])).join('');
    spans.push({ start, end: match.end, href });
    end = match.end;
  }
  return spans;
}
