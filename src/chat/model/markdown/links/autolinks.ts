/**
 * Finds URLs in text: with http:// or https://, bare domains with a real top-level domain, and mail addresses. A link
 * must extend to the next white space, except for punctuation, which keeps each attempt linear.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execAt, mayBegin } from '../boundary';
import type { Linkifier, TopicLink } from '../context';
import { findLinkifierMatches } from '../patterns/linkifiers';
import { openBudget } from '../patterns/matcher';
import type { Span } from '../rendering';
import { safeHref } from './urls';

const { tlds } = JSON.parse(readFileSync(join(__dirname, 'tlds.json'), 'utf8')) as { tlds: string };
const TLDS: ReadonlySet<string> = new Set(tlds.split(' '));

const PUNCTUATION = '!:;?),.\'">';
const SCHEME = /https?:\/\/[\p{L}\p{N}_.:@-]+/uy;
const DOMAIN = /(?:[\p{L}\p{N}_-]+\.)+([a-z]{2,24})(?![\p{L}\p{N}_-])/uy;
const MAIL = /[\p{L}\p{N}_.-]+@[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.[\p{L}\p{N}_]+/uy;

/** A word with more possible starting points is not a URL. */
const MAX_ATTEMPTS = 8;
/** Zulip's limit of nested parentheses in a URL. */
const MAX_NESTING = 7;

export function findAutolinks(text: string): Span[] {
  const spans: Span[] = [];
  if (!/[.@]|:\/\//.test(text)) return spans;
  for (const match of text.matchAll(/\S+/g)) {
    const word = match[0];
    if (!/[.@]|:\/\//.test(word)) continue;
    const span = findInWord(word);
    if (span) spans.push({ start: match.index + span.start, end: match.index + span.end, href: span.href });
  }
  return spans;
}

function findInWord(word: string): Span | undefined {
  let attempts = 0;
  for (let start = 0; start < word.length && attempts < MAX_ATTEMPTS; start += 1) {
    if (!mayBegin(word, start)) continue;
    attempts += 1;
    const span = linkAt(word, start);
    if (span) return span;
  }
  return undefined;
}

function linkAt(word: string, start: number): Span | undefined {
  const host = execAt(SCHEME, word, start)?.[0] ?? domainAt(word, start);
  if (host !== undefined) {
    const end = endOf(word, start, start + host.length);
    if (end !== undefined) return { start, end, href: word.slice(start, end) };
  }
  const mail = execAt(MAIL, word, start)?.[0];
  if (mail === undefined || !isPunctuation(word.slice(start + mail.length))) return undefined;
  return { start, end: start + mail.length, href: `mailto:${mail}` };
}

function domainAt(word: string, start: number): string | undefined {
  const domain = execAt(DOMAIN, word, start)?.[0];
  return domain !== undefined && TLDS.has(domain.slice(domain.lastIndexOf('.') + 1)) ? domain : undefined;
}

const isPunctuation = (rest: string): boolean => Array.from(rest).every((character) => PUNCTUATION.includes(character));

/** The end of the URL that begins at `start` and whose host ends at `hostEnd`. */
function endOf(word: string, start: number, hostEnd: number): number | undefined {
  let least = word.length;
  while (least > start && PUNCTUATION.includes(word[least - 1]!)) least -= 1;
  if (least <= hostEnd) return /^https?:\/*$/.test(word.slice(start, least)) ? undefined : least;
  return '/?#'.includes(word[hostEnd]!) ? endOfPath(word, hostEnd, least) : undefined;
}

/** The first position from `least` on at which all parentheses of the path are closed. */
function endOfPath(word: string, from: number, least: number): number | undefined {
  let depth = 0;
  for (let index = from; index < word.length; index += 1) {
    if (index >= least && depth === 0) return index;
    const character = word[index];
    if (character === '"') return undefined;
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0 || depth > MAX_NESTING) return undefined;
  }
  return depth === 0 ? word.length : undefined;
}

/** The links in a topic: matches of the organisation's linkifiers, then bare URLs. */
export function topicLinks(topic: string, linkifiers: readonly Linkifier[]): TopicLink[] {
  const matches = findLinkifierMatches(topic, linkifiers, openBudget());
  const addresses = findAutolinks(topic)
    .filter(({ href }) => !href.startsWith('mailto:'))
    .map((span) => ({ ...span, href: /^https?:\/\//.test(span.href) ? span.href : `https://${span.href}` }));
  return [...matches, ...addresses]
    .filter(({ href }) => safeHref(href, '') !== undefined)
    .map(({ start, end, href }) => ({ text: topic.slice(start, end), url: href }));
}
