/** Finds what a message names, so that everything can be looked up at once before rendering. */
import { isHolder, openingOf, type Fence } from './blocks/fences';
import { execAt, mayBegin } from './boundary';
import { addressIn } from './spans/avatars';
import { NO_NAMES } from './spans/mentions';

interface References {
  /** Full names, or `Name|ID`. */
  readonly users: readonly string[];
  /** Email addresses whose avatars are requested. */
  readonly addresses: readonly string[];
  readonly groups: readonly string[];
  readonly streams: readonly string[];
}

/** Markers of quotes and table cells, which are gone when the text after them is rendered. */
const BLOCK_SIGNS: ReadonlySet<string> = new Set(['>', '|']);
const NONE: References = { users: [], addresses: [], groups: [], streams: [] };
const NAMED = /@_?\*\*([^*]+)\*\*|@_?\*([^*]+)\*|#\*\*([^*]+)\*\*/y;

/** May find more than rendering uses (names in inline code), never less. */
export function references(content: string): References {
  const addresses = addressesIn(content);
  if (!/[@#]_?\*/.test(content)) return addresses.length === 0 ? NONE : { ...NONE, addresses };
  const [users, groups, streams] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const text = /^[`~]{3}/m.test(content) ? withoutCode(content) : content;
  for (const { index } of text.matchAll(/[@#](?=_?\*)/g)) {
    if (!mayBegin(text, index) && !BLOCK_SIGNS.has(text[index - 1]!)) continue;
    const [, user, group, stream] = (execAt(NAMED, text, index) ?? []).map(asInTables);
    if (user !== undefined && !NO_NAMES.has(user)) users.add(user);
    if (group !== undefined) groups.add(group);
    if (stream !== undefined) addStream(streams, stream);
  }
  return { users: [...users], addresses, groups: [...groups], streams: [...streams] };
}

function addressesIn(content: string): string[] {
  if (!content.includes('avatar(')) return [];
  const written = [...content.matchAll(/!(?:gr)?avatar\(([^)\n]*)\)/g)].flatMap(([, text]) => addressIn(text!) ?? []);
  return [...new Set(written)];
}

/** In tables, a bar in a name is escaped. */
const asInTables = (name: string | undefined): string | undefined => name?.replaceAll('\\|', '|');

/** A `>` may start a topic or belong to the stream's name. */
function addStream(streams: Set<string>, name: string): void {
  const [, stream] = /^([^>]+)>/.exec(name) ?? [];
  if (stream !== undefined) streams.add(stream);
  streams.add(name);
}

/** Fenced code contains no names. With indented fences everything is kept: only the parser knows where those end. */
function withoutCode(content: string): string {
  if (/^[ \t>].*(?:```|~~~)/m.test(content)) return content;
  const kept: string[] = [];
  const opened: Fence[] = [];
  for (const line of content.split('\n')) {
    const innermost = opened.at(-1);
    const isText = innermost === undefined || isHolder(innermost);
    const text = line.trimEnd();
    if (text === innermost?.row) opened.pop();
    else if (isText) {
      const fence = openingOf(text);
      if (fence) opened.push(fence);
      kept.push(line);
    }
  }
  return kept.join('\n');
}
