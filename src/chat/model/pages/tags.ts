/** Tokenises HTML in linear time. It follows browsers just well enough to find a title. */

export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'end'; readonly name: string }
  | { readonly kind: 'start'; readonly name: string; readonly attributes: ReadonlyMap<string, string> };

const NAME = /[a-z][^\s/>]*/y;
/** An unclosed quote costs one scan of the rest of the page, and can occur only once per kind. */
const ATTRIBUTE = /[\s/]*([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y;
/** The content of these elements is neither markup nor readable text. */
const HIDDEN = new Set(['script', 'style', 'noscript', 'template', 'iframe', 'textarea', 'svg']);
const MAX_ATTRIBUTES = 50;

/** Text and values are raw: entities are not decoded. */
export function* piecesOf(html: string): Generator<Piece> {
  // Lower-cases ASCII only, because other letters could change the length.
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
  for (let count = 0; count < MAX_ATTRIBUTES; count += 1) {
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

/** Comments, declarations, closing tags, and stray characters. */
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
