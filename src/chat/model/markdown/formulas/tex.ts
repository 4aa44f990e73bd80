/** Draws formulas with KaTeX, which is loaded on first use: most processes never draw any. */
import type { KatexOptions } from 'katex';
import { MAX_HTML, unableToRender } from '../unable-to-render';

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

const TAGS: ReadonlySet<string> = new Set(
  (
    'span svg path line math semantics annotation mrow mi mn mo mtext mspace mstyle mpadded mphantom menclose mfrac ' +
    'msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd'
  ).split(' '),
);

const ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'class style aria-hidden xmlns encoding display width height depth voffset d viewBox preserveAspectRatio ' +
    'x1 y1 x2 y2 stroke-width accent accentunder columnalign columnlines columnspacing displaystyle fence form largeop ' +
    'linebreak linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits ' +
    'notation rowlines rowspacing rspace scriptlevel separator stretchy symmetric valign'
  ).split(' '),
);

const TAG = /<(\/?)([a-z]+)((?: [\w-]+="[^"<>]*")*)(\/?)>/y;
const ATTRIBUTE = / ([\w-]+)="([^"]*)"/g;

const PROPERTIES: ReadonlySet<string> = new Set(
  (
    'background-color border border-bottom-width border-color border-right-style border-right-width border-style ' +
    'border-top-width border-width bottom color height left margin margin-left margin-right margin-top min-width ' +
    'padding-left position text-shadow top vertical-align width'
  ).split(' '),
);

/** Lengths, colours and words. A longer length could cover other messages. */
const VALUE =
  /^(?:-?\d{1,2}(?:\.\d+)?|\d{3}(?:\.\d+)?)(?:em|ex|px|mu|%)?$|^#[\da-f]{3,8}$|^(?!absolute|fixed|sticky)[a-z]+$/i;
const CALCULATED = /^calc\(100% - \d{1,2}(?:\.\d+)?em\)$/;

/** Maximum nesting of tags, because clients process them recursively. */
const DEEPEST = 250;

/** Checks KaTeX's output tag by tag against an allowlist. Anything else is not shown. */
export function isInert(markup: string): boolean {
  let [position, depth] = [0, 0];
  for (let open = markup.indexOf('<'); open !== -1; open = markup.indexOf('<', position)) {
    TAG.lastIndex = open;
    const match = TAG.exec(markup);
    if (!match || !TAGS.has(match[2]!) || !areInert(match[3]!)) return false;
    if (markup.slice(position, open).includes('>')) return false;
    depth += depthOf(match[1] === '/', match[4] === '/');
    if (depth > DEEPEST) return false;
    position = TAG.lastIndex;
  }
  return depth === 0 && !markup.slice(position).includes('>');
}

function depthOf(isClosing: boolean, isEmpty: boolean): number {
  if (isEmpty) return 0;
  return isClosing ? -1 : 1;
}

function areInert(attributes: string): boolean {
  for (const [, name, value] of attributes.matchAll(ATTRIBUTE)) {
    if (!ATTRIBUTES.has(name!) || (name === 'style' && !isStyle(value!))) return false;
  }
  return true;
}

const isStyle = (style: string): boolean =>
  style
    .split(';')
    .filter((declaration) => declaration.trim() !== '')
    .every((declaration) => {
      const colon = declaration.indexOf(':');
      const value = declaration.slice(colon + 1).trim();
      const isKnown = PROPERTIES.has(declaration.slice(0, colon).trim());
      return isKnown && (CALCULATED.test(value) || value.split(' ').every((part) => VALUE.test(part)));
    });
