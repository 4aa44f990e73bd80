/** `code` between runs of backticks of equal length. Spaces are kept, and nothing inside is parsed. */
import type { MarkdownIt, StateInline } from 'markdown-it';
import { groupBy } from '../../../../kernel/group';

/** By length, in reverse order. Computed once, so that many unclosed runs stay cheap. */
type Runs = Map<number, RegExpExecArray[]>;
const runsOf = new WeakMap<StateInline, Runs>();

function findRuns(state: StateInline): Runs {
  const known = runsOf.get(state);
  if (known) return known;
  const runs = groupBy([...state.src.matchAll(/`+/g)].reverse(), ([run]) => run.length);
  runsOf.set(state, runs);
  return runs;
}

function readCode(state: StateInline): boolean {
  const { src, pos } = state;
  if (src[pos] !== '`') return false;
  let end = pos + 1;
  while (src[end] === '`') end += 1;
  const length = end - pos;
  const closing = src[pos - 1] === '\\' ? undefined : nextRun(findRuns(state).get(length), end);
  if (closing === undefined) {
    state.pending += src.slice(pos, end);
    state.pos = end;
    return true;
  }
  state.push('code_inline', 'code', 0).content = src.slice(end, closing);
  state.pos = closing + length;
  return true;
}

/** The lists are reversed, so passed positions are popped from their ends. */
function nextRun(runs: RegExpExecArray[] = [], from: number): number | undefined {
  while (runs.length > 0 && runs.at(-1)!.index < from) runs.pop();
  return runs.at(-1)?.index;
}

export function codeSpansPlugin(md: MarkdownIt): void {
  md.inline.ruler.at('backticks', readCode);
}
