/** The parser's tables, within limits: a short row of a wide table is padded with empty cells. */
import type { MarkdownIt, StateBlock } from 'markdown-it';

/** As many empty cells as fit into the longest HTML that a message may have. */
const MAX_CELLS = 8000;

/** The enabled block rules. */
export const BLOCKS = ['table', 'code', 'fence', 'blockquote', 'hr', 'list', 'heading', 'paragraph'];

type Rule = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => boolean;

function isBounded(state: StateBlock, startLine: number, endLine: number): boolean {
  const heading = state.src.slice(state.bMarks[startLine], state.eMarks[startLine]);
  let columns = 1;
  for (let at = heading.indexOf('|'); at !== -1; at = heading.indexOf('|', at + 1)) columns += 1;
  let line = startLine;
  while (line < endLine && !state.isEmpty(line) && (line - startLine) * columns <= MAX_CELLS) line += 1;
  return (line - startLine) * columns <= MAX_CELLS;
}

/** The parser's own table rule, which it does not export: the only rule left when no other is enabled. */
function ownRule({ block: { ruler } }: MarkdownIt): Rule {
  const enabled = BLOCKS.filter((name) => name !== 'table');
  ruler.enableOnly(['table']);
  const [rule] = ruler.getRules('');
  ruler.enable(enabled);
  return rule!;
}

export function tablesPlugin(md: MarkdownIt): void {
  const readTable = ownRule(md);
  const rule: Rule = (state, startLine, endLine, silent) =>
    startLine + 1 < endLine &&
    /^[ \t>|:-]+$/.test(lineOf(state, startLine + 1)) &&
    isBounded(state, startLine, endLine) &&
    readTable(state, startLine, endLine, silent);
  md.block.ruler.at('table', rule, { alt: ['paragraph', 'reference'] });
  for (const type of ['th_open', 'td_open']) {
    md.renderer.rules[type] = (tokens, index) => {
      const { tag } = tokens[index]!;
      const [, side] = /text-align:(\w+)/.exec(String(tokens[index]!.attrGet('style'))) ?? [];
      return side === undefined ? `<${tag}>` : `<${tag} align="${side}">`;
    };
  }
}

const lineOf = (state: StateBlock, line: number): string => state.src.slice(state.bMarks[line], state.eMarks[line]);
