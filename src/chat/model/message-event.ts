/**
 * A message as it lies in the log: once, in lines that are put together per reader by copying text. The lines are the
 * head, everything before the content, the content as HTML and as markdown, what lies between, the avatar, and the rest.
 */
import { RECORD_GAP } from '../../kernel/mysql/outbox-rows';
import { entryBody, type EntryHead } from './event';

/** Fields of the wire object other than id, content, content_type and avatar_url. */
export type MessageFields = Readonly<Record<string, unknown>>;

export interface MessageParts {
  readonly head: EntryHead;
  readonly fields: MessageFields;
  readonly html: string;
  readonly markdown: string;
  readonly avatar: string;
}

/** With a gap for the message's id, which is known only in the commit packet. */
export function messageEntry({ head, fields, html, markdown, avatar }: MessageParts): string {
  const lines = [
    `{"type":"message","message":{"id":${RECORD_GAP},${JSON.stringify(fields).slice(1, -1)},"content":`,
    `${JSON.stringify(html)},"content_type":"text/html"`,
    `${JSON.stringify(markdown)},"content_type":"text/x-markdown"`,
    ',"avatar_url":',
    JSON.stringify(avatar),
    '}',
  ];
  return entryBody(head, lines.join('\n'));
}

export interface Reader {
  readonly wantsHtml: boolean;
  /** Clients that compute default avatars themselves are sent null. */
  readonly computesAvatars: boolean;
}

/** The event's JSON without its own id, flags and local id: `{"type":"message","message":{…}`. */
export function messageFor(payload: string, reader: Reader): string {
  const [before, html, markdown, between, avatar, rest] = payload.split('\n');
  const content = reader.wantsHtml ? html : markdown;
  const picture = reader.computesAvatars && isDefaultAvatar(avatar!) ? 'null' : avatar;
  return `${before}${content}${between}${picture}${rest}`;
}

const isDefaultAvatar = (avatar: string): boolean => avatar.startsWith('"https://secure.gravatar.com/');
