/**
 * A message in the log: stored once, in lines from which each reader's version is assembled by copying text. The lines
 * are the head, the part before the content, the content as HTML and as Markdown, the part in between, the avatar, and
 * the rest.
 */
import { RECORD_GAP, type PrefixedEvent } from '../../../kernel/event-log/codec';
import type { EncodedAudience } from '../events/audience';
import type { MessageHead } from '../events/event';
import type { TopicLink } from '../markdown/context';
import { profileOf, type ProfileName } from '../profiles/profiles';
import { WIDGET, wireSubmessage } from './submessage';

/** Fields of the wire object other than id, content, content_type and avatar_url. */
export type MessageFields = Readonly<Record<string, unknown>>;

export interface MessageParts {
  /** From `messagePrefix`. */
  readonly prefix: string;
  readonly head: MessageHead;
  readonly fields: MessageFields;
  readonly html: string;
  readonly markdown: string;
  readonly avatar: string;
}

/** The common prefix of all message entries for this audience. The message's own head follows it. */
export const messagePrefix = (to: EncodedAudience): string => JSON.stringify({ type: 'message', to }).slice(0, -1);

/** With a placeholder for the message's id, which only the commit packet knows. */
export function messageEntry({ prefix, head, fields, html, markdown, avatar }: MessageParts): PrefixedEvent {
  const rest =
    `,"message":${JSON.stringify(head)}}\n` +
    `{"type":"message","message":{"id":${RECORD_GAP},${JSON.stringify(fields).slice(1, -1)},"content":\n` +
    `${JSON.stringify(html)},"content_type":"text/html"\n` +
    `${JSON.stringify(markdown)},"content_type":"text/x-markdown"\n` +
    `,"avatar_url":\n${JSON.stringify(avatar)}\n}`;
  return { prefix, rest };
}

const MESSAGE_ID = /^\{"type":"message","message":\{"id":(\d+),/;
/** Quotes inside strings are escaped, so this matches only the field itself. */
const NO_SUBMESSAGES = '"submessages":[]';

/**
 * Inserts a new message's widget into its fields. The widget is in the head, because only the commit knows the
 * message's id and a body has one placeholder for it. Nodes of a release without widgets show the message without it.
 */
export function withWidget(payload: string, { widget }: MessageHead): string {
  if (!widget) return payload;
  const [, id] = MESSAGE_ID.exec(payload) ?? [];
  const part = wireSubmessage(Number(id), { ...widget, place: 1, type: WIDGET });
  return payload.replace(NO_SUBMESSAGES, () => `"submessages":[${JSON.stringify(part)}]`);
}

export interface Reader {
  readonly wantsHtml: boolean;
  /** Clients that compute default avatars themselves get null. */
  readonly computesAvatars: boolean;
  readonly profile?: ProfileName | undefined;
  readonly hearsEachEmoji?: boolean | undefined;
}

/** The event's JSON without its own id, flags and local id: `{"type":"message","message":{…}`. */
export function messageFor(payload: string, { topicLinks = NO_LINKS }: MessageHead, reader: Reader): string {
  const { html: htmlOf, messageStart } = profileOf(reader.profile);
  const [before, html, markdown, between, avatar, rest] = payload.split('\n');
  const content = reader.wantsHtml ? htmlOf(html!, () => sourceOf(markdown!)) : markdown;
  const picture = reader.computesAvatars && isDefaultAvatar(avatar!) ? 'null' : avatar;
  return `${messageStart(before!, topicLinks)}${content}${between}${picture}${rest}`;
}

/** Of the line with the Markdown. */
const sourceOf = (line: string): string => JSON.parse(line.slice(0, line.lastIndexOf(',"content_type"'))) as string;

const NO_LINKS: readonly TopicLink[] = [];

const isDefaultAvatar = (avatar: string): boolean => avatar.startsWith('"https://secure.gravatar.com/');
