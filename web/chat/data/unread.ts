/**
 * Unread messages by conversation. Maps and sets are changed in place, because copying thousands of ids takes longer than a
 * frame may; every change returns a new object around them, by which those who follow it learn of the change.
 */
import type { Narrow } from './narrow';
import type { UnreadMessages } from './wire';

export interface Unread {
  /** Conversation by message: `s:5:topic` in lower case, or `p:1,2` with the other people. */
  readonly conversationOf: Map<number, string>;
  readonly messagesIn: Map<string, Set<number>>;
  /** Topic names in their original spelling. */
  readonly topicNames: Map<string, string>;
  readonly mentions: Set<number>;
}

export interface UnreadMessage {
  readonly id: number;
  readonly conversation: string;
  readonly topic?: string;
  readonly isMention: boolean;
}

export const streamConversation = (streamId: number, topic: string): string => `s:${streamId}:${topic.toLowerCase()}`;
/** Whether it is a topic of the stream. */
export const isOfStream = (conversation: string, streamId: number): boolean =>
  conversation.startsWith(streamConversation(streamId, ''));
export const privateConversation = (userIds: readonly number[]): string => `p:${userIds.join(',')}`;

/** Undefined for a view of several conversations. */
export function conversationKey(narrow: Narrow): string | undefined {
  if (narrow.kind === 'topic') return streamConversation(narrow.streamId, narrow.topic);
  return narrow.kind === 'private' ? privateConversation(narrow.userIds) : undefined;
}

export const emptyUnread = (): Unread => ({
  conversationOf: new Map(),
  messagesIn: new Map(),
  topicNames: new Map(),
  mentions: new Set(),
});

export function addUnread(unread: Unread, messages: readonly UnreadMessage[]): Unread {
  const { conversationOf, messagesIn, topicNames, mentions } = unread;
  const fresh = messages.filter(({ id }) => !conversationOf.has(id));
  if (fresh.length === 0) return unread;
  for (const { id, conversation, topic, isMention } of fresh) {
    conversationOf.set(id, conversation);
    messagesIn.set(conversation, (messagesIn.get(conversation) ?? new Set()).add(id));
    if (topic !== undefined) topicNames.set(conversation, topic);
    if (isMention) mentions.add(id);
  }
  return { ...unread };
}

export function removeUnread(unread: Unread, ids: readonly number[]): Unread {
  const { conversationOf, messagesIn, mentions } = unread;
  const gone = ids.filter((id) => conversationOf.has(id));
  if (gone.length === 0) return unread;
  for (const id of gone) {
    const conversation = conversationOf.get(id)!;
    conversationOf.delete(id);
    mentions.delete(id);
    const left = messagesIn.get(conversation);
    left?.delete(id);
    if (left?.size === 0) messagesIn.delete(conversation);
  }
  return { ...unread };
}

export function unreadFrom(answer: UnreadMessages, ownId: number): Unread {
  const mentions = new Set(answer.mentions);
  const toMessages = (ids: readonly number[], conversation: string, topic?: string): UnreadMessage[] =>
    ids.map((id) => ({ id, conversation, isMention: mentions.has(id), ...(topic === undefined ? {} : { topic }) }));
  return addUnread(emptyUnread(), [
    ...answer.pms.flatMap((each) => toMessages(each.unread_message_ids, privateConversation([each.sender_id]))),
    ...answer.huddles.flatMap((each) => {
      const others = each.user_ids_string.split(',').map(Number);
      const conversation = privateConversation(others.filter((id) => id !== ownId));
      return toMessages(each.unread_message_ids, conversation);
    }),
    ...answer.streams.flatMap((each) =>
      toMessages(each.unread_message_ids, streamConversation(each.stream_id, each.topic), each.topic),
    ),
  ]);
}

/** The unread messages of some conversations, as `addUnread` takes them. */
export function unreadWhere(unread: Unread, isMeant: (conversation: string) => boolean): readonly UnreadMessage[] {
  return [...unread.messagesIn].flatMap(([conversation, ids]) => {
    if (!isMeant(conversation)) return [];
    const topic = unread.topicNames.get(conversation);
    const names = topic === undefined ? {} : { topic };
    return [...ids].map((id) => ({ id, conversation, isMention: unread.mentions.has(id), ...names }));
  });
}

export function countOfStream(unread: Unread, streamId: number, isCounted: (topic: string) => boolean): number {
  const prefix = `s:${streamId}:`;
  let count = 0;
  for (const [conversation, ids] of unread.messagesIn) {
    if (conversation.startsWith(prefix) && isCounted(conversation.slice(prefix.length))) count += ids.size;
  }
  return count;
}

export const countOf = (unread: Unread, conversation: string): number => unread.messagesIn.get(conversation)?.size ?? 0;
