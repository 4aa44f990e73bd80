/** A message to be sent, and the checks of its content, which refuse or cut what is too long. */
import { badRequest } from '../faults';
import { MAX_CONTENT_BYTES, MAX_TOPIC_CHARACTERS } from './message';

export interface Draft {
  readonly type: string;
  readonly to?: string | undefined;
  readonly topic?: string | undefined;
  readonly content: string;
  /** Name of the client program. */
  readonly client: string;
  readonly queueId?: string | undefined;
  readonly localId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Sent explicitly, in place of what the content asks for: see model/messages/widget.ts. */
  readonly widget?: string | undefined;
  /** Whether it is read by its sender from the start. By default, the client's kind decides. */
  readonly isReadBySender?: boolean | undefined;
  /** The dedupe key of messages that do not come from a client. */
  readonly origin?: string | undefined;
}

/** What happens to overlong content: the specification refuses it, Zulip cuts it. */
export type TooLong = 'refuse' | 'cut';

/** Zulip's markers. */
const CUT_TOPIC = '...';
const CUT_CONTENT = '\n[message truncated]';

export function cutTopic(topic: string): string {
  if (topic.length <= MAX_TOPIC_CHARACTERS) return topic;
  const characters = Array.from(topic);
  if (characters.length <= MAX_TOPIC_CHARACTERS) return topic;
  return characters.slice(0, MAX_TOPIC_CHARACTERS - CUT_TOPIC.length).join('') + CUT_TOPIC;
}

export function cutContent(content: string, most = MAX_CONTENT_BYTES): string {
  if (Buffer.byteLength(content) <= most) return content;
  const room = most - Buffer.byteLength(CUT_CONTENT);
  // Half a character decodes to U+FFFD, which is removed.
  const kept = Buffer.from(content)
    .subarray(0, room)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  return kept + CUT_CONTENT;
}

/** Trailing white space does not count. */
export function checkContent(content: string, tooLong: TooLong = 'refuse'): string {
  const kept = content.trimEnd();
  if (kept === '') throw badRequest('Message must not be empty');
  if (kept.includes('\0')) throw badRequest('Message must not contain null bytes');
  if (tooLong === 'cut') return cutContent(kept);
  if (Buffer.byteLength(kept) > MAX_CONTENT_BYTES) {
    throw badRequest(`Message is too long (limit: ${MAX_CONTENT_BYTES} bytes)`);
  }
  return kept;
}

export function checkTopic(topic: string | undefined, tooLong: TooLong = 'refuse'): string {
  if (topic === undefined) throw badRequest('Missing topic');
  const kept = topic.trim();
  if (kept === '') throw badRequest("Topic can't be empty");
  if (kept.includes('\0')) throw badRequest('Topic must not contain null bytes');
  if (tooLong === 'cut') return cutTopic(kept);
  if (kept.length > MAX_TOPIC_CHARACTERS && Array.from(kept).length > MAX_TOPIC_CHARACTERS) {
    throw badRequest(`Topic is too long (limit: ${MAX_TOPIC_CHARACTERS} characters)`);
  }
  return kept;
}

/** The dedupe key of a send; null if the client gave nothing to derive it from. */
export function originOf(senderId: number, draft: Draft): string | null {
  if (draft.origin !== undefined) return draft.origin;
  if (draft.idempotencyKey !== undefined) return `key:${senderId}:${draft.idempotencyKey}`;
  if (draft.queueId !== undefined && draft.localId !== undefined)
    return `echo:${senderId}:${draft.queueId}:${draft.localId}`;
  return null;
}
