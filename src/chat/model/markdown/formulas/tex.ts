/** Draws formulas with KaTeX, which is loaded on first use: most processes never draw any. */
import type { KatexOptions } from 'katex';
import { MAX_HTML, unableToRender } from '../unable-to-render';
import { isInert } from './tex-check';

interface Katex {
  renderToString(tex: string, options: KatexOptions): string;
}

/** A longer formula takes too long to draw. */
const MAX_LENGTH = 1500;
/** KaTeX's own limit. A formula that defines macros may expand to this much text in total. */
const MAX_EXPANSIONS = 1000;
const MAX_EXPANDED = 20_000;
const DEFINES = /\\(?:[egx]?def|newcommand|renewcommand|providecommand|let|futurelet)(?![a-z])/i;
/** The longest rule and the widest gap, in em. */
const LARGEST = 50;
/** KaTeX prints a warning for each character without metrics. */
const MAX_UNMEASURED = 20;
/** Commands that print to the console become errors. */
const PRINTING = { '\\message': '\\undefined', '\\errmessage': '\\undefined', '\\show': '\\undefined' };

let katex: Katex | undefined;

/** HTML and MathML of a formula; undefined if it is invalid, too long or too deep. */
export function drawTex(tex: string, isDisplay: boolean): string | undefined {
  if (tex.length > MAX_LENGTH) return undefined;
  const markup = attempt(tex, isDisplay);
  // The message will be refused, so the drawing need not be checked.
  if (markup !== undefined && markup.length > MAX_HTML) throw unableToRender();
  return markup !== undefined && isInert(markup) ? withOldClasses(markup) : undefined;
}

function attempt(tex: string, isDisplay: boolean): string | undefined {
  katex ??= require('katex') as Katex;
  try {
    return katex.renderToString(tex, { ...optionsFor(tex), displayMode: isDisplay });
  } catch {
    // KaTeX throws on errors in a formula, and V8 on one that nests too deep.
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
      return unmeasured > MAX_UNMEASURED ? 'error' : 'ignore';
    },
    macros: { ...PRINTING },
    maxSize: LARGEST,
    maxExpand: DEFINES.test(tex) ? Math.min(MAX_EXPANSIONS, MAX_EXPANDED / tex.length) : MAX_EXPANSIONS,
  };
}

/** Zulip clients ship the styles of KaTeX 0.11, where italics had another class name. */
const withOldClasses = (markup: string): string => markup.replace(/(class="[^"]*\bmathnormal)\b/g, '$1 mathdefault');
