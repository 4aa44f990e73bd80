/** The conversations of the latest messages, newest first. */
import { conversationOf, keyOf, pathOf } from '../data/narrow';
import { messageById } from '../data/messages';
import { isMuted, namesOf, type ChatState } from '../data/store';
import { countOf, privateConversation, streamConversation } from '../data/unread';
import type { Message } from '../data/wire';
import { countsOf } from '../side/unread-total';

export interface RecentRow {
  readonly key: string;
  readonly path: string;
  readonly name: string;
  /** 0 for a private conversation. */
  readonly streamId: number;
  /** Of a private conversation. */
  readonly userIds: readonly number[];
  readonly latest: Message;
  /** Who wrote the latest messages, the last one first. */
  readonly senders: readonly number[];
  readonly isOwn: boolean;
  readonly isMuted: boolean;
  readonly unread: number;
  readonly isMention: boolean;
}

export interface RecentFilter {
  readonly unread: boolean;
  readonly participated: boolean;
  readonly muted: boolean;
  readonly text: string;
}

type Shown = Pick<ChatState, 'ownId' | 'people' | 'streams' | 'unread' | 'subscriptions' | 'userTopics' | 'mutedUsers'>;

export function recentRows(ids: readonly number[], state: Shown): readonly RecentRow[] {
  const messages = new Map<string, Message[]>();
  for (const id of ids.toReversed()) {
    const message = messageById(id);
    if (!message) continue;
    const key = keyOf(conversationOf(message, state.ownId));
    const known = messages.get(key);
    if (known) known.push(message);
    else messages.set(key, [message]);
  }
  return [...messages].map(([key, latestFirst]) => rowOf(key, latestFirst, state));
}

function rowOf(key: string, latestFirst: readonly Message[], state: Shown): RecentRow {
  const latest = latestFirst[0]!;
  const narrow = conversationOf(latest, state.ownId);
  const isTopic = narrow.kind === 'topic';
  const userIds = narrow.kind === 'private' ? narrow.userIds : [];
  const conversation = isTopic ? streamConversation(narrow.streamId, narrow.topic) : privateConversation(userIds);
  return {
    key,
    path: pathOf(narrow),
    name: isTopic ? narrow.topic : namesOf(state.people, userIds),
    streamId: isTopic ? narrow.streamId : 0,
    userIds,
    latest,
    senders: [...new Set(latestFirst.map(({ sender_id }) => sender_id))],
    isOwn: !isTopic || latestFirst.some(({ sender_id }) => sender_id === state.ownId),
    isMuted: isTopic ? isMuted(narrow.streamId, narrow.topic) : userIds.every((id) => state.mutedUsers.has(id)),
    unread: countOf(state.unread, conversation),
    isMention: countsOf(state).mentioned.has(conversation),
  };
}

/** Whether the row is wanted. The text is searched in the names of the conversation, its stream and those who wrote. */
export function isWanted(row: RecentRow, filter: RecentFilter, { people, streams }: Shown): boolean {
  if (row.isMuted && !filter.muted) return false;
  if (filter.unread && row.unread === 0) return false;
  if (filter.participated && !row.isOwn) return false;
  const words = filter.text.trim().toLowerCase();
  const names = [row.name, streams.get(row.streamId)?.name ?? '', namesOf(people, row.senders)];
  return words === '' || names.some((name) => name.toLowerCase().includes(words));
}
