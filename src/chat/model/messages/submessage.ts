/** Submessages: additions to a message by its readers' clients, as in polls and to-do lists, in order. */
import { isTooDeep } from '../../../kernel/text/json-depth';
import type { Wire } from '../../../kernel/text/wire';
import type { submessage } from '../answers/messages';
import { badRequest } from '../faults';
import type { UserId } from '../users/user';
import type { Message } from './message';

export interface Submessage {
  /** Starts at 1. */
  readonly place: number;
  readonly senderId: UserId;
  /** Clients know only `widget`. */
  readonly type: string;
  /** JSON that only clients interpret. */
  readonly content: string;
}

export const WIDGET = 'widget';

/** One submessage is at most as long as a message. All submessages of a message fit into one response. */
const MAX_BYTES = 10_000;
const MAX_BYTES_TOGETHER = 1_000_000;
/** Bytes on the wire besides the content. */
const OVERHEAD_BYTES = 120;
const JSON_DEPTH = 32;

export const invalidSubmessage = () => badRequest('Invalid json for submessage');
const submessageTooLong = () => badRequest(`content is too long (limit: ${MAX_BYTES} bytes)`);
export const tooManySubmessages = () =>
  badRequest(`This message takes no more submessages (limit: ${MAX_BYTES_TOGETHER} bytes)`);
export const mayNotAttach = () => badRequest('You cannot attach a submessage to this message.');

export function checkSubmessage(content: string): void {
  if (Buffer.byteLength(content) > MAX_BYTES) throw submessageTooLong();
  if (isTooDeep(content, JSON_DEPTH)) throw invalidSubmessage();
  try {
    JSON.parse(content);
  } catch {
    throw invalidSubmessage();
  }
}

/** Bytes that a submessage adds to a response. */
export const submessageBytes = (content: string): number => Buffer.byteLength(content) + OVERHEAD_BYTES;

/** The total bytes with one more submessage. Throws if there is no room. */
export function bytesWith({ submessageBytes: before }: Pick<Message, 'submessageBytes'>, content: string): number {
  const after = before + submessageBytes(content);
  if (after > MAX_BYTES_TOGETHER) throw tooManySubmessages();
  return after;
}

/** More than fit into a message. Clients sort by id, and ids are unique within an organisation. */
const IDS_A_MESSAGE = 100_000;

const submessageId = (messageId: number, place: number): number => messageId * IDS_A_MESSAGE + place;

export const wireSubmessage = (messageId: number, part: Submessage): Wire<typeof submessage> => ({
  id: submessageId(messageId, part.place),
  message_id: messageId,
  sender_id: part.senderId,
  msg_type: part.type,
  content: part.content,
});

/** In events, the ids have other names. */
export const submessageEvent = (messageId: number, part: Submessage) => ({
  type: 'submessage',
  msg_type: part.type,
  message_id: messageId,
  submessage_id: submessageId(messageId, part.place),
  sender_id: part.senderId,
  content: part.content,
});
