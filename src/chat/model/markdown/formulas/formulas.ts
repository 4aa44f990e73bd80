/** $$formulas$$ and `math` fences. Their drawings bypass the HTML sanitiser, which does not know their tags. */
import type { MarkdownIt, StateInline } from 'markdown-it';
import { execAt, isWordCharacter } from '../boundary';
import { escapeText } from '../html';
import { renderingOf, type Rendering } from '../rendering';
import { MAX_HTML, unableToRender } from '../unable-to-render';
import { drawTex } from './tex';

const FORMULA = /\$\$([^\n_$](?:\\\$|[^$\n])*)\$\$(?!\$)/y;
const ANYWHERE = new RegExp(FORMULA.source);
const FENCED = /(?:```|~~~) *\{?\.?(?:math|tex|latex)/i;
const LANGUAGES = new Set(['math', 'tex', 'latex']);

export const isFormula = (language: string): boolean => LANGUAGES.has(language);

/** May return true for a message without a formula, never false for one with. */
export const mayHoldFormula = (content: string): boolean =>
  (content.includes('$$') && ANYWHERE.test(content)) || FENCED.test(content);

function readFormula(state: StateInline): boolean {
  const { src, pos } = state;
  if (src[pos] !== '$' || src[pos + 1] !== '$') return false;
  const match = execAt(FORMULA, src, pos);
  const isFree = !isWordCharacter(src[pos - 1]) && src[pos - 1] !== '$' && !isWordCharacter(src[FORMULA.lastIndex]);
  if (match && isFree) {
    state.push(renderingOf(state.env).isMessage ? 'formula' : 'code_inline', 'code', 0).content = match[1]!;
    state.pos = FORMULA.lastIndex;
    return true;
  }
  let end = pos;
  while (src[end] === '$') end += 1;
  state.pending += src.slice(pos, end);
  state.pos = end;
  return true;
}

/** A placeholder for a drawing. NUL occurs in no message, because the parser replaces it. */
const PLACE = /\0(\d+)\0/g;

function draw(rendering: Rendering, tex: string, isDisplay: boolean): string {
  const drawing = drawTex(tex, isDisplay);
  if (drawing === undefined) return `<span class="tex-error">${escapeText(isDisplay ? tex : `$$${tex}$$`)}</span>`;
  rendering.drawings.push(drawing);
  rendering.drawnLength += drawing.length;
  // The message will be refused, so nothing more is drawn.
  if (rendering.drawnLength > MAX_HTML) throw unableToRender();
  return `\0${rendering.drawings.length - 1}\0`;
}

/** An empty line in a fence separates formulas. */
const drawBlock = (rendering: Rendering, tex: string): string =>
  tex
    .replace(/\n$/, '')
    .split('\n\n')
    .filter((part) => part.trim() !== '')
    .map((part) => draw(rendering, part, true))
    .join('\n\n');

export const insertDrawings = (html: string, { drawings }: Rendering): string =>
  drawings.length === 0 ? html : html.replace(PLACE, (_, place: string) => drawings[Number(place)]!);

export function formulasPlugin(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'formula', readFormula);
  const { rules } = md.renderer;
  rules['formula'] = (tokens, index, _options, env) => draw(renderingOf(env), tokens[index]!.content, false);
  rules['formula_block'] = (tokens, index, _options, env) =>
    `<p>${drawBlock(renderingOf(env), tokens[index]!.content)}</p>\n`;
}
