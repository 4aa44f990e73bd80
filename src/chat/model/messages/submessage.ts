/** What is added to a message by its readers' clients: the parts of a poll or of a list of tasks, in their order. */
import { isTooDeep } from '../../../kernel/json-depth';
import type { Wire } from '../../../kernel/wire';
import type { submessage } from '../answers/messages';
import { badRequest } from '../faults';
import type { UserId } from '../users/user';
import type { Message } from './message';

export interface Submessage {
  /** From 1. */
  readonly place: number;
  readonly senderId: UserId;
  /** Clients know `widget` alone. */
  readonly type: string;
  /** JSON, which only clients read. */
  readonly content: string;
}

export const WIDGET = 'widget';

/** A submessage is as long as a message at most, and all of one message fit into an answer. */
const MOST_BYTES = 10_000;
const MOST_BYTES_TOGETHER = 1_000_000;
/** What goes onto the wire besides the content. */
const OVERHEAD_BYTES = 120;
const JSON_DEPTH = 32;

export const invalidSubmessage = () => badRequest('Invalid json for submessage');
export const submessageTooLong = () => badRequest(`content is too long (limit: ${MOST_BYTES} bytes)`);
export const tooManySubmessages = () =>
  badRequest(`This message takes no more submessages (limit: ${MOST_BYTES_TOGETHER} bytes)`);
export const mayNotAttach = () => badRequest('You cannot attach a submessage to this message.');

export function checkSubmessage(content: string): void {
  if (Buffer.byteLength(content) > MOST_BYTES) throw submessageTooLong();
  if (isTooDeep(content, JSON_DEPTH)) throw invalidSubmessage();
  try {
    JSON.parse(content);
  } catch {
    throw invalidSubmessage();
  }
}

/** What a submessage adds to an answer. */
export const submessageBytes = (content: string): number => Buffer.byteLength(content) + OVERHEAD_BYTES;

/** The bytes of all submessages with one more, if there is room for it. */
export function bytesWith({ submessageBytes: before }: Pick<Message, 'submessageBytes'>, content: string): number {
  const after = before + submessageBytes(content);
  if (after > MOST_BYTES_TOGETHER) throw tooManySubmessages();
  return after;
}

/** More than fit into a message. Clients sort by id, and ids of one organisation are each used once. */
const IDS_A_MESSAGE = 100_000;

export const submessageId = (messageId: number, place: number): number => messageId * IDS_A_MESSAGE + place;

export const wireSubmessage = (messageId: number, part: Submessage): Wire<typeof submessage> => ({
  id: submessageId(messageId, part.place),
  message_id: messageId,
  sender_id: part.senderId,
  msg_type: part.type,
  content: part.content,
});

/** Here the ids have names of their own. */
export const submessageEvent = (messageId: number, part: Submessage) => ({
  type: 'submessage',
  msg_type: part.type,
  message_id: messageId,
  submessage_id: submessageId(messageId, part.place),
  sender_id: part.senderId,
  content: part.content,
});
