/** `code` between runs of backticks of equal length. Spaces are kept, and nothing inside is parsed. */
import type { MarkdownIt, StateInline } from 'markdown-it';

/** The starts of runs by length, in reverse order. Computed once, so that many unclosed runs stay cheap. */
const runsOf = new WeakMap<StateInline, Map<number, number[]>>();

function findRuns(state: StateInline): Map<number, number[]> {
  const known = runsOf.get(state);
  if (known) return known;
  const runs = new Map<number, number[]>();
  for (const match of state.src.matchAll(/`+/g)) {
    const length = match[0].length;
    const starts = runs.get(length);
    if (starts) starts.push(match.index);
    else runs.set(length, [match.index]);
  }
  for (const starts of runs.values()) starts.reverse();
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
function nextRun(starts: number[] | undefined, from: number): number | undefined {
  while (starts && starts.length > 0 && starts.at(-1)! < from) starts.pop();
  return starts?.at(-1);
}

export function codeSpansPlugin(md: MarkdownIt): void {
  md.inline.ruler.at('backticks', readCode);
}
