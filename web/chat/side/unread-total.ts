/** Counts unread messages, without muted streams and topics. */
import { chat, isTopicMuted, type ChatState } from '../data/store';
import type { Unread } from '../data/unread';

interface Counts {
  readonly streams: ReadonlyMap<number, number>;
  readonly total: number;
  readonly privates: number;
  /** Conversations and streams with an unread mention. */
  readonly mentioned: ReadonlySet<string>;
  readonly mentionedIn: ReadonlySet<number>;
}

type Counted = Pick<ChatState, 'unread' | 'subscriptions' | 'userTopics'>;

let last: (Counts & { readonly of: Counted }) | undefined;

/** Cached until its inputs change. */
export function countsOf({ unread, subscriptions, userTopics }: Counted): Counts {
  if (last?.of.unread === unread && last.of.subscriptions === subscriptions && last.of.userTopics === userTopics) {
    return last;
  }
  last = { ...count({ unread, subscriptions, userTopics }), of: { unread, subscriptions, userTopics } };
  return last;
}

function count({ unread, subscriptions, userTopics }: Counted): Counts {
  const streams = new Map<number, number>();
  let total = 0;
  let privates = 0;
  for (const [conversation, ids] of unread.messagesIn) {
    if (conversation.startsWith('p:')) {
      privates += ids.size;
      total += ids.size;
      continue;
    }
    const key = conversation.slice(2);
    const streamId = Number(key.slice(0, key.indexOf(':')));
    if (userTopics.get(key)?.visibility_policy === 1) continue;
    streams.set(streamId, (streams.get(streamId) ?? 0) + ids.size);
    if (subscriptions.has(streamId) && !isTopicMuted({ subscriptions, userTopics }, streamId, key)) total += ids.size;
  }
  const mentioned = new Set([...unread.mentions].flatMap((id) => unread.conversationOf.get(id) ?? []));
  const mentionedIn = new Set([...mentioned].filter((each) => each.startsWith('s:')).map(streamOf));
  return { streams, total, privates, mentioned, mentionedIn };
}

const streamOf = (conversation: string): number => Number(conversation.split(':')[1]);

export const unreadTotal = (): number => countsOf(chat()).total;

/** Conversations with unread messages that are not muted, the one with the oldest unread message first. */
export function unreadConversations({ unread, subscriptions, userTopics }: Counted): readonly string[] {
  const isShown = (conversation: string): boolean => {
    if (conversation.startsWith('p:')) return true;
    const key = conversation.slice(2);
    const streamId = Number(key.slice(0, key.indexOf(':')));
    return subscriptions.has(streamId) && !isTopicMuted({ subscriptions, userTopics }, streamId, key);
  };
  return [...unread.messagesIn.keys()].filter(isShown).sort(byOldest(unread));
}

/** Oldest unread message first. */
const byOldest =
  (unread: Unread) =>
  (a: string, b: string): number =>
    firstOf(unread, a) - firstOf(unread, b);

const firstOf = (unread: Unread, conversation: string): number =>
  unread.messagesIn.get(conversation)?.values().next().value ?? 0;
