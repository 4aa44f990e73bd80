/** #**streams** and #**streams>topics**. */
import type { MarkdownIt, StateInline } from 'markdown-it';
import { execAt, mayBegin } from '../boundary';
import type { KnownStream } from '../context';
import { findStream, renderingOf } from '../rendering';

const NAMED = /#\*\*([^*]+)\*\*/y;

function readStream(state: StateInline): boolean {
  const { src, pos } = state;
  if (src[pos] !== '#' || !mayBegin(src, pos)) return false;
  const name = execAt(NAMED, src, pos)?.[1];
  if (name === undefined || !(pushTopic(state, name) || pushStream(state, name))) return false;
  state.pos = NAMED.lastIndex;
  return true;
}

function pushTopic(state: StateInline, name: string): boolean {
  const [, streamName, topic] = /^([^>]+)>(.+)$/s.exec(name) ?? [];
  const stream = streamName === undefined ? undefined : findStream(renderingOf(state.env), streamName);
  if (!stream || topic === undefined) return false;
  const href = `${narrowTo(stream)}/topic/${encodeNarrow(topic)}`;
  pushStreamLink(state, ['stream-topic', stream, href], `#${stream.name} > ${topic}`);
  return true;
}

function pushStream(state: StateInline, name: string): boolean {
  const stream = findStream(renderingOf(state.env), name);
  if (!stream) return false;
  pushStreamLink(state, ['stream', stream, narrowTo(stream)], `#${stream.name}`);
  return true;
}

const narrowTo = ({ id, name }: { readonly id: number; readonly name: string }): string =>
  `/#narrow/stream/${encodeNarrow(`${id}-${name.replaceAll(' ', '-')}`)}`;

/** The encoding that clients expect: everything but letters, digits, `_`, `-` and `~` as `.XX`. */
function encodeNarrow(text: string): string {
  let encoded = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const character = String.fromCharCode(byte);
    encoded += /[A-Za-z0-9_~-]/.test(character) ? character : `.${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

function pushStreamLink(
  state: StateInline,
  [className, stream, href]: [string, KnownStream, string],
  text: string,
): void {
  state.push('stream_open', 'a', 1).attrs = [
    ['class', className],
    ['data-stream-id', String(stream.id)],
    ['href', href],
  ];
  state.push('text', '', 0).content = text;
  state.push('stream_close', 'a', -1);
}

export function streamLinksPlugin(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'stream', readStream);
}

/** Links to one message in its context, relative to the organisation's root. */
export const nearTopic = (stream: { readonly id: number; readonly name: string }, topic: string, id: number): string =>
  `${narrowTo(stream)}/topic/${encodeNarrow(topic)}/near/${id}`;

export const nearConversation = (userIds: readonly number[], id: number): string =>
  `/#narrow/pm-with/${userIds.join(',')}-pm/near/${id}`;
