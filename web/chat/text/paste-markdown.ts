/**
 * Formatted text of the clipboard as Markdown. The HTML is parsed in a document of its own, in which no script runs and
 * nothing is loaded, and only read: the result is text.
 */

/** Undefined if the HTML has no formatting: the plain text then says as much, with its own line breaks. */
export function markdownOf(html: string): string | undefined {
  const { body } = new DOMParser().parseFromString(withoutStyles(html), 'text/html');
  if (!body.querySelector('a[href],b,strong,i,em,s,del,strike,code,pre,ul,ol,table,blockquote,h1,h2,h3,h4,h5,h6')) {
    return undefined;
  }
  // Editors wrap everything that they copy in one element that says the opposite of what it is.
  for (const wrapper of body.querySelectorAll(
    'b[data-style*="font-weight:normal"], b[data-style*="font-weight: normal"]',
  )) {
    wrapper.replaceWith(...wrapper.childNodes);
  }
  // Code editors copy a picture of their colours: that is code, not text.
  if (body.querySelector(':scope > div[data-style*="monospace"]')) return undefined;
  return blocks(body)
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** The page's policy forbids styles and handlers, and browsers report each even where it could not do anything. */
const withoutStyles = (html: string): string =>
  html
    .replaceAll(/<style[\s\S]*?<\/style>/gi, '')
    .replaceAll(/<[a-z][^>]*>/gi, (tag) => tag.replaceAll(/[\s"'/](style|on[a-z]+)\s*=/gi, ' data-$1='));

const MARKS: Readonly<Record<string, string | undefined>> = {
  B: '**',
  STRONG: '**',
  I: '*',
  EM: '*',
  S: '~~',
  DEL: '~~',
  STRIKE: '~~',
};
const SKIPPED =
  /^(?:SCRIPT|STYLE|TEMPLATE|TITLE|META|LINK|NOSCRIPT|IFRAME|OBJECT|SVG|svg|BUTTON|INPUT|SELECT|TEXTAREA)$/;
const BLOCKS =
  /^(?:ADDRESS|ARTICLE|ASIDE|BLOCKQUOTE|BODY|DD|DIV|DL|DT|FIGCAPTION|FIGURE|FOOTER|H[1-6]|HEADER|HR|LI|MAIN|NAV|OL|P|PRE|SECTION|TABLE|UL)$/;

function blocks(node: Node): string {
  return [...node.childNodes].map((child) => (isElement(child) ? element(child) : words(child))).join('');
}

const isElement = (node: Node): node is Element => node.nodeType === 1;
const words = (node: Node): string => (node.nodeType === 3 ? (node.nodeValue ?? '').replaceAll(/[\s ]+/g, ' ') : '');

const code = (node: Element): string => marked(node.textContent.replaceAll('`', ''), '`');

const ELEMENTS: Readonly<Record<string, ((node: Element) => string) | undefined>> = {
  BR: () => '\n',
  HR: () => '\n\n---\n\n',
  PRE: (node) => `\n\n${fence(node.textContent)}\n\n`,
  BLOCKQUOTE: (node) => `\n\n${prefixed(blocks(node).trim(), '> ')}\n\n`,
  UL: list,
  OL: list,
  TABLE: table,
  IMG: (node) => node.getAttribute('alt') ?? '',
  CODE: code,
  KBD: code,
  SAMP: code,
  A: link,
};

function element(node: Element): string {
  const { tagName } = node;
  if (SKIPPED.test(tagName)) return '';
  if (/^H[1-6]$/.test(tagName)) return `\n\n${'#'.repeat(Number(tagName[1]))} ${oneLine(node)}\n\n`;
  return (ELEMENTS[tagName] ?? ordinary)(node);
}

function ordinary(node: Element): string {
  const inner = blocks(node);
  const mark = MARKS[node.tagName];
  if (mark !== undefined) return inner.includes('\n') ? inner : marked(inner, mark);
  if (!BLOCKS.test(node.tagName)) return inner;
  return node.tagName === 'P' ? `\n\n${inner.trim()}\n\n` : `\n${inner.trim()}\n`;
}

/** Marks stand beside the words, spaces outside. */
function marked(text: string, mark: string): string {
  const bare = text.trim();
  if (bare === '') return text;
  const start = text.indexOf(bare);
  return text.slice(0, start) + mark + bare + mark + text.slice(start + bare.length);
}

const oneLine = (node: Element): string => blocks(node).replaceAll(/\s+/g, ' ').trim();

const prefixed = (text: string, prefix: string): string =>
  text
    .split('\n')
    .map((line) => prefix + line)
    .join('\n');

function fence(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}\n${code.replace(/\n$/, '')}\n${mark}`;
}

/** Only addresses that a reader may follow. */
function link(node: Element): string {
  const text = blocks(node).trim();
  const href = node.getAttribute('href') ?? '';
  if (!/^(?:https?:|mailto:)/i.test(href) || text === '') return text;
  if (text.includes('\n') || text === href || href === `mailto:${text}`) return text;
  return `[${text.replaceAll(/[[\]]/g, '')}](${href.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

function list(node: Element): string {
  const isOrdered = node.tagName === 'OL';
  const first = Number(node.getAttribute('start') ?? 1);
  const items = [...node.children].map((item, index) => {
    const sign = isOrdered ? `${first + index}. ` : '* ';
    const lines = (isElement(item) && /^[OU]L$/.test(item.tagName) ? list(item) : blocks(item))
      .trim()
      .replaceAll(/\n{2,}/g, '\n')
      .split('\n');
    return lines.map((line, at) => (at === 0 ? sign : '   ') + line).join('\n');
  });
  const isNested = node.parentElement?.closest('li') !== null;
  return isNested ? `\n${items.join('\n')}\n` : `\n\n${items.join('\n')}\n\n`;
}

/** A table of Markdown has one head: the first row. */
function table(node: Element): string {
  const rows = [...node.querySelectorAll('tr')].map((row) =>
    [...row.querySelectorAll('th,td')].map((cell) => oneLine(cell).replaceAll('|', '\\|')),
  );
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width < 2 && rows.length < 2) return blocksOfCells(rows);
  const lines = rows.map((row) => `| ${Array.from({ length: width }, (_, at) => row[at] ?? '').join(' | ')} |`);
  const [head, ...rest] = lines;
  return `\n\n${[head, `|${' --- |'.repeat(width)}`, ...rest].join('\n')}\n\n`;
}

const blocksOfCells = (rows: readonly (readonly string[])[]): string => rows.flat().join('\n');
