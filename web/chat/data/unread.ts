/** Unread messages by conversation. Immutable: every change returns a new object, sharing what is unchanged. */
import type { UnreadMessages } from './wire';

export interface Unread {
  /** Conversation by message: `s:5:topic` in lower case, or `p:1,2` with the other people. */
  readonly conversationOf: ReadonlyMap<number, string>;
  readonly messagesIn: ReadonlyMap<string, ReadonlySet<number>>;
  /** Topic names in their original spelling. */
  readonly topicNames: ReadonlyMap<string, string>;
  readonly mentions: ReadonlySet<number>;
}

export interface UnreadMessage {
  readonly id: number;
  readonly conversation: string;
  readonly topic?: string;
  readonly isMention: boolean;
}

export const streamConversation = (streamId: number, topic: string): string => `s:${streamId}:${topic.toLowerCase()}`;
export const privateConversation = (userIds: readonly number[]): string => `p:${userIds.join(',')}`;

export const emptyUnread = (): Unread => ({
  conversationOf: new Map(),
  messagesIn: new Map(),
  topicNames: new Map(),
  mentions: new Set(),
});

export function addUnread(unread: Unread, messages: readonly UnreadMessage[]): Unread {
  const fresh = messages.filter(({ id }) => !unread.conversationOf.has(id));
  if (fresh.length === 0) return unread;
  const conversationOf = new Map(unread.conversationOf);
  const messagesIn = new Map(unread.messagesIn);
  const topicNames = new Map(unread.topicNames);
  const mentions = new Set(unread.mentions);
  const grown = new Map<string, Set<number>>();
  for (const { id, conversation, topic, isMention } of fresh) {
    conversationOf.set(id, conversation);
    const ids = grown.get(conversation) ?? new Set(messagesIn.get(conversation));
    grown.set(conversation, ids.add(id));
    messagesIn.set(conversation, ids);
    if (topic !== undefined) topicNames.set(conversation, topic);
    if (isMention) mentions.add(id);
  }
  return { conversationOf, messagesIn, topicNames, mentions };
}

export function removeUnread(unread: Unread, ids: readonly number[]): Unread {
  const gone = ids.filter((id) => unread.conversationOf.has(id));
  if (gone.length === 0) return unread;
  const conversationOf = new Map(unread.conversationOf);
  const messagesIn = new Map(unread.messagesIn);
  const mentions = new Set(unread.mentions);
  const shrunk = new Map<string, Set<number>>();
  for (const id of gone) {
    const conversation = conversationOf.get(id)!;
    conversationOf.delete(id);
    mentions.delete(id);
    const left = shrunk.get(conversation) ?? new Set(messagesIn.get(conversation));
    left.delete(id);
    shrunk.set(conversation, left);
  }
  for (const [conversation, left] of shrunk) {
    if (left.size === 0) messagesIn.delete(conversation);
    else messagesIn.set(conversation, left);
  }
  return { ...unread, conversationOf, messagesIn, mentions };
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

export function countOfStream(unread: Unread, streamId: number, isCounted: (topic: string) => boolean): number {
  const prefix = `s:${streamId}:`;
  let count = 0;
  for (const [conversation, ids] of unread.messagesIn) {
    if (conversation.startsWith(prefix) && isCounted(conversation.slice(prefix.length))) count += ids.size;
  }
  return count;
}

export const countOf = (unread: Unread, conversation: string): number => unread.messagesIn.get(conversation)?.size ?? 0;
