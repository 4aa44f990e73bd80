/** Draws formulas with KaTeX, which is loaded for the first of them: most processes never draw any. */
import type { KatexOptions } from 'katex';
import { MOST_HTML, unableToRender } from '../unable-to-render';
import { isInert } from './tex-check';

interface Katex {
  renderToString(tex: string, options: KatexOptions): string;
}

/** A longer formula takes too long to draw. */
const LONGEST = 1500;
/** KaTeX's own bound. A formula that defines macros may expand to this much text, however often it uses them. */
const MOST_EXPANSIONS = 1000;
const MOST_EXPANDED = 20_000;
const DEFINES = /\\(?:[egx]?def|newcommand|renewcommand|providecommand|let|futurelet)(?![a-z])/i;
/** The longest rule and the widest gap, in em. */
const LARGEST = 50;
/** KaTeX prints a warning for each sign that it has no measures of. */
const MOST_UNMEASURED = 20;
/** Commands that print to the console; they become a mistake. */
const PRINTING = { '\\message': '\\undefined', '\\errmessage': '\\undefined', '\\show': '\\undefined' };

let katex: Katex | undefined;

/** HTML and MathML of a formula; undefined for one that is wrong, too long or too deep. */
export function drawTex(tex: string, isDisplay: boolean): string | undefined {
  if (tex.length > LONGEST) return undefined;
  const markup = attempt(tex, isDisplay);
  // A message with such a drawing is refused in the end: checking it would be in vain.
  if (markup !== undefined && markup.length > MOST_HTML) throw unableToRender();
  return markup !== undefined && isInert(markup) ? withOldClasses(markup) : undefined;
}

function attempt(tex: string, isDisplay: boolean): string | undefined {
  katex ??= require('katex') as Katex;
  try {
    return katex.renderToString(tex, { ...optionsFor(tex), displayMode: isDisplay });
  } catch {
    // KaTeX throws for mistakes in a formula, and the engine for one that nests too deep.
    return undefined;
  }
}

function optionsFor(tex: string): KatexOptions {
  let unmeasured = 0;
  return {
    throwOnError: true,
    trust: false,
    strict(code: string) {
      if (code === 'unknownSymbol') unmeasured += 1;
      return unmeasured > MOST_UNMEASURED ? 'error' : 'ignore';
    },
    macros: { ...PRINTING },
    maxSize: LARGEST,
    maxExpand: DEFINES.test(tex) ? Math.min(MOST_EXPANSIONS, MOST_EXPANDED / tex.length) : MOST_EXPANSIONS,
  };
}

/** Clients of this protocol carry the styles of KaTeX 0.11, in which italics had another name. */
const withOldClasses = (markup: string): string => markup.replace(/(class="[^"]*\bmathnormal)\b/g, '$1 mathdefault');
