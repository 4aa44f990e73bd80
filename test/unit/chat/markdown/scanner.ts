/** Reads HTML tag by tag and reports what could do harm: an independent check that shares no code with ours. */

const ALLOWED: Record<string, string> = {
  a: 'class data-stream-id href style target title',
  audio: 'preload src title',
  div: 'class aria-hidden',
  img: 'alt class data-animated data-original-dimensions data-src-fullsize src title',
  ol: 'start',
  span: 'aria-hidden aria-label class data-user-group-id data-user-id role style title',
  td: 'align',
  th: 'align',
  time: 'datetime',
  video: 'preload src',
};
/** The elements that formulas are drawn with. */
const MATH =
  'annotation line math menclose mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub msubsup msup ' +
  'mtable mtd mtext mtr munder munderover path semantics svg';
for (const tag of MATH.split(' ')) {
  ALLOWED[tag] =
    'accent accentunder class columnalign columnlines columnspacing d depth display displaystyle encoding fence form ' +
    'height largeop linebreak linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize ' +
    'movablelimits notation preserveAspectRatio rowlines rowspacing rspace scriptlevel separator stretchy stroke-width ' +
    'style symmetric valign viewBox voffset width x1 x2 xmlns y1 y2';
}
const STYLE = /^(?:[a-z-]+: ?(?:[-#.\w ]|calc\(100% - [\d.]+em\)|\d+%)+;?)*$/;
/** The picture of a linked page. */
const PICTURE = /^background-image: url\(\/external_content\/[0-9a-f]+\/[0-9a-f]+\)$/;
const BARE = 'blockquote br code del em h1 h2 h3 h4 h5 h6 hr li p pre strong table tbody thead tr ul'.split(' ');
const VOID = new Set(['br', 'hr', 'img']);
const LINK = /^(?:https?:\/\/|ftp:\/\/|mailto:|file:|bitcoin:|\/(?!\/)|#)/i;
/** Pictures come from this server. */
const OWN = /^\/(?!\/)/;
const FORMS: Readonly<Record<string, RegExp>> = { href: LINK, src: OWN, 'data-src-fullsize': OWN };

function decode(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, digits: string) => String.fromCodePoint(Number(digits)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

function attributeMistakes(tag: string, text: string): string[] {
  const allowed = (ALLOWED[tag] ?? '').split(' ');
  const written = text.replace(/\/$/, '').replace(tag === 'audio' ? ' controls' : '', '');
  const rest = written.replace(/ ([a-zA-Z0-9-]+)="([^"<>]*)"/g, (_, name: string, value: string) => {
    if (!allowed.includes(name)) return `[${name}]`;
    if (name === 'style' && tag === 'a' && PICTURE.test(decode(value))) return '';
    if (name === 'style' && (!STYLE.test(value) || /fixed|absolute|sticky/.test(value))) return `[${name}=${value}]`;
    const form = FORMS[name];
    return form && !form.test(decode(value)) ? `[${name}=${value}]` : '';
  });
  return rest === '' ? [] : [`<${tag}> carries ${rest}`];
}

/** Everything wrong with a piece of HTML; empty if it is inert and well formed. */
export function scan(html: string): string[] {
  const mistakes: string[] = [];
  const opened: string[] = [];
  for (const piece of html.split(/(?=<)/)) {
    const match = /^<(\/?)([a-z0-9]+)([^>]*)>([^<>]*)$/s.exec(piece);
    if (!match) {
      if (/[<>]/.test(piece)) mistakes.push(`unescaped: ${piece.slice(0, 80)}`);
      continue;
    }
    const [, slash, tag, attributes] = match as unknown as [string, string, string, string];
    if (!(tag in ALLOWED) && !BARE.includes(tag)) mistakes.push(`<${tag}>`);
    if (slash === '/') {
      if (opened.pop() !== tag || attributes !== '') mistakes.push(`</${tag}> closes nothing`);
    } else {
      mistakes.push(...attributeMistakes(tag, attributes));
      if (!VOID.has(tag) && !attributes.endsWith('/')) opened.push(tag);
    }
  }
  return opened.length > 0 ? [...mistakes, `never closed: ${opened.join(' ')}`] : mistakes;
}
