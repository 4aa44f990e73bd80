/** Reads a page tag by tag, in linear time. It understands what browsers make of HTML just well enough to find a title. */

export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'end'; readonly name: string }
  | { readonly kind: 'start'; readonly name: string; readonly attributes: ReadonlyMap<string, string> };

const NAME = /[a-z][^\s/>]*/y;
/** A quote that is never closed costs one look at the rest of the page, as no other of its kind can follow. */
const ATTRIBUTE = /[\s/]*([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y;
/** What stands in these is no markup, and nothing to read. */
const HIDDEN = new Set(['script', 'style', 'noscript', 'template', 'iframe', 'textarea', 'svg']);
const MOST_ATTRIBUTES = 50;

/** Text and values are as written: entities are still in them. */
export function* piecesOf(html: string): Generator<Piece> {
  // Of the same length: other capital letters than these would change it.
  const lower = html.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    const end = open === -1 ? html.length : open;
    if (end > at) yield { kind: 'text', text: html.slice(at, end) };
    if (open === -1) return;
    const tag = startAt(html, lower, open);
    if (tag) yield tag.piece;
    at = tag ? afterHidden(lower, tag) : afterOther(html, lower, open);
    const closed = tag ? undefined : closedAt(lower, open);
    if (closed !== undefined) yield { kind: 'end', name: closed };
  }
}

interface Start {
  readonly piece: Extract<Piece, { kind: 'start' }>;
  readonly end: number;
}

function startAt(html: string, lower: string, open: number): Start | undefined {
  NAME.lastIndex = open + 1;
  const [name] = NAME.exec(lower) ?? [];
  if (name === undefined) return undefined;
  const attributes = new Map<string, string>();
  let end = open + 1 + name.length;
  for (let count = 0; count < MOST_ATTRIBUTES; count += 1) {
    ATTRIBUTE.lastIndex = end;
    const match = ATTRIBUTE.exec(html);
    if (!match) break;
    end = ATTRIBUTE.lastIndex;
    const key = match[1]!.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, match[2] ?? match[3] ?? match[4] ?? '');
  }
  return { piece: { kind: 'start', name, attributes }, end: after(html, '>', end) };
}

function afterHidden(lower: string, { piece, end }: Start): number {
  return HIDDEN.has(piece.name) ? after(lower, '>', after(lower, `</${piece.name}`, end)) : end;
}

/** Comments, declarations, ends of tags, and signs that mean nothing. */
function afterOther(html: string, lower: string, open: number): number {
  if (html.startsWith('<!--', open)) return after(html, '-->', open + 4);
  return /[a-z!?/]/.test(lower[open + 1] ?? '') ? after(html, '>', open) : open + 1;
}

function closedAt(lower: string, open: number): string | undefined {
  if (lower[open + 1] !== '/') return undefined;
  NAME.lastIndex = open + 2;
  return NAME.exec(lower)?.[0];
}

function after(text: string, sign: string, from: number): number {
  const found = text.indexOf(sign, from);
  return found === -1 ? text.length : found + sign.length;
}
