/** The unread messages in the initial state's wire format. */
import { TRAITS } from '../messages/message';
import type { MessageRef, ReadState } from './read-state';

/** Zulip's limit. The newest are sent. */
export const MAX_UNREAD = 50_000;

export interface UnreadMessages {
  readonly count: number;
  readonly pms: readonly { readonly sender_id: number; readonly unread_message_ids: readonly number[] }[];
  readonly streams: readonly UnreadTopic[];
  readonly huddles: readonly { readonly user_ids_string: string; readonly unread_message_ids: readonly number[] }[];
  readonly mentions: readonly number[];
}

interface UnreadTopic {
  readonly stream_id: number;
  readonly topic: string;
  readonly unread_message_ids: readonly number[];
  readonly sender_ids: readonly number[];
}

export interface Surroundings {
  readonly state: ReadState;
  readonly topicNames: ReadonlyMap<number, string>;
  /** Members of private conversations, in order. */
  readonly members: ReadonlyMap<number, readonly number[]>;
  readonly mutedTopics: ReadonlySet<number>;
  /** Messages that mention the user by name. */
  readonly mentioned: ReadonlySet<number>;
}

/** The messages are ordered by id. */
export function unreadMessagesOf(unread: readonly MessageRef[], around: Surroundings): UnreadMessages {
  const { state, members, mutedTopics, mentioned } = around;
  const isMuted = ({ recipientId, topicId }: MessageRef) =>
    (state.places.get(recipientId)?.isMuted ?? false) || (topicId !== null && mutedTopics.has(topicId));
  const isMention = ({ id, traits }: MessageRef) => mentioned.has(id) || (traits & TRAITS.wildcard) !== 0;
  const [pairs, groups] = [new Map<number, number[]>(), new Map<string, number[]>()];
  for (const { id, recipientId, topicId } of unread) {
    if (topicId !== null) continue;
    const people = members.get(recipientId) ?? [];
    if (people.length > 2) append(groups, people.join(','), id);
    // Called the sender, but always the other user, whoever of the two wrote it; oneself if there is no other.
    else append(pairs, people.find((person) => person !== state.userId) ?? state.userId, id);
  }
  return {
    count: unread.filter((ref) => !isMuted(ref)).length,
    pms: [...pairs].map(([sender, ids]) => ({ sender_id: sender, unread_message_ids: ids })),
    streams: topicsOf(unread, around.topicNames),
    huddles: [...groups].map(([people, ids]) => ({ user_ids_string: people, unread_message_ids: ids })),
    mentions: unread.filter(isMention).map(({ id }) => id),
  };
}

function append<K>(lists: Map<K, number[]>, key: K, id: number): void {
  const list = lists.get(key);
  if (list) list.push(id);
  else lists.set(key, [id]);
}

function topicsOf(unread: readonly MessageRef[], names: ReadonlyMap<number, string>): UnreadTopic[] {
  const found = new Map<number, { stream: number; ids: number[]; senders: Set<number> }>();
  for (const { id, recipientId, topicId, senderId } of unread) {
    if (topicId === null) continue;
    const topic = found.get(topicId) ?? { stream: recipientId, ids: [], senders: new Set() };
    topic.ids.push(id);
    topic.senders.add(senderId);
    found.set(topicId, topic);
  }
  return [...found].map(([topicId, { stream, ids, senders }]) => ({
    stream_id: stream,
    topic: names.get(topicId) ?? '',
    unread_message_ids: ids,
    sender_ids: [...senders].sort((a, b) => a - b),
  }));
}
