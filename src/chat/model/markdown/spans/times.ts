/** <time:2026-11-18T23:00+01:00>: a time, which clients show in the time zone of the reader. */
import type { MarkdownIt, StateInline } from 'markdown-it';
import { execAt } from '../boundary';

const TIME = /<time:([^>\n]{1,100})>/y;
/** Without a zone it is UTC, as in Zulip. */
const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?) ?(?:(Z|UTC)|([+-]\d\d):?(\d\d))?)?$/i;
const UNIX = /^\d{1,11}(?:\.\d{1,6})?$/;

/** Undefined if it is not a time. */
export function timeIn(written: string): string | undefined {
  const text = written.trim();
  const milliseconds = UNIX.test(text) ? Number(text) * 1000 : writtenTime(text);
  const time = new Date(milliseconds);
  return Number.isNaN(time.getTime()) || time.getUTCFullYear() > 9999
    ? undefined
    : time.toISOString().replace('.000Z', 'Z');
}

function writtenTime(text: string): number {
  const [match, day, clock = '00:00', , hours, minutes] = WRITTEN.exec(text) ?? [];
  if (match === undefined) return Number.NaN;
  return Date.parse(`${day}T${clock}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
}

function readTime(state: StateInline): boolean {
  if (state.src[state.pos] !== '<') return false;
  const match = execAt(TIME, state.src, state.pos);
  if (!match) return false;
  const time = timeIn(match[1]!);
  const [tag, attribute, text]: [string, [string, string], string] =
    time === undefined
      ? ['span', ['class', 'timestamp-error'], `Invalid time format: ${match[1]}`]
      : ['time', ['datetime', time], match[1]!];
  state.push('time_open', tag, 1).attrs = [attribute];
  state.push('text', '', 0).content = text;
  state.push('time_close', tag, -1);
  state.pos = TIME.lastIndex;
  return true;
}

export function timesPlugin(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'time', readTime);
}
