/** $$formulas$$ are shown as code: nothing here draws them. */
import type { MarkdownIt, StateInline } from 'markdown-it';
import { isWordCharacter } from './boundary';

const FORMULA = /\$\$([^\n_$](?:\\\$|[^$\n])*)\$\$(?!\$)/y;

function readFormula(state: StateInline): boolean {
  const { src, pos } = state;
  if (src[pos] !== '$' || src[pos + 1] !== '$') return false;
  FORMULA.lastIndex = pos;
  const match = FORMULA.exec(src);
  const isFree = !isWordCharacter(src[pos - 1]) && src[pos - 1] !== '$' && !isWordCharacter(src[FORMULA.lastIndex]);
  if (match && isFree) {
    state.push('code_inline', 'code', 0).content = match[1]!;
    state.pos = FORMULA.lastIndex;
    return true;
  }
  let end = pos;
  while (src[end] === '$') end += 1;
  state.pending += src.slice(pos, end);
  state.pos = end;
  return true;
}

export function formulasPlugin(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'formula', readFormula);
}
