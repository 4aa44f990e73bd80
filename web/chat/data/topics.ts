/** Topics of streams, newest first; loaded on demand and updated by events. */
import { api } from '../../shared/http/request';
import { termsOf } from './narrow';
import { chat, topicKey, useChat, type Topic } from './store';
import type { MessagesAnswer } from './wire';

/** How the name of a resolved topic begins, as in Zulip. */
export const RESOLVED = '✔ ';

const asked = new Map<number, Promise<void>>();

/** Ends when the topics are there, whoever asked for them first. */
export function loadTopics(streamId: number): Promise<void> {
  const known = asked.get(streamId);
  if (known) return known;
  const loading = fetchTopics(streamId);
  asked.set(streamId, loading);
  return loading;
}

async function fetchTopics(streamId: number): Promise<void> {
  try {
    const { topics } = await api.get<{ topics: { name: string; max_id: number }[] }>(`/users/me/${streamId}/topics`);
    put(
      streamId,
      topics.map(({ name, max_id }) => ({ name, maxId: max_id })),
    );
  } catch {
    asked.delete(streamId);
  }
}

/** Topics may be stale after a time without events, so they are loaded again on demand. */
export function forgetTopics(): void {
  asked.clear();
}

function put(streamId: number, topics: readonly Topic[]): void {
  useChat.setState(({ topics: before }) => ({ topics: new Map(before).set(streamId, topics) }));
}

export function noteTopic(streamId: number, name: string, maxId: number): void {
  const topics = chat().topics.get(streamId);
  if (!topics) return;
  const isSame = (topic: Topic): boolean => topic.name.toLowerCase() === name.toLowerCase();
  const known = topics.find(isSame);
  if (known && known === topics[0] && known.name === name) return put(streamId, [{ name, maxId }, ...topics.slice(1)]);
  put(streamId, [{ name, maxId }, ...topics.filter((topic) => !isSame(topic))]);
}

interface Place {
  readonly streamId: number;
  readonly topic: string;
}

export function renameTopic(before: Place, to: Place, maxId: number): void {
  noteTopic(to.streamId, to.topic, maxId);
  if (!chat().topics.has(before.streamId)) return;
  // Only the server knows whether the old topic still has messages.
  asked.delete(before.streamId);
  if (topicKey(before.streamId, before.topic) !== topicKey(to.streamId, to.topic)) void loadTopics(before.streamId);
}

/** The newest message of a topic; undefined if it has none. */
export async function newestIn(streamId: number, topic: string): Promise<number | undefined> {
  const known = chat()
    .topics.get(streamId)
    ?.find(({ name }) => name.toLowerCase() === topic.toLowerCase());
  if (known) return known.maxId;
  const narrow = termsOf({ kind: 'topic', streamId, topic });
  const query = { narrow, anchor: NEWEST, num_before: 1, num_after: 0 };
  return (await api.get<MessagesAnswer>('/messages', query)).messages.at(-1)?.id;
}

/** Above every id of a message. */
const NEWEST = 10_000_000_000_000_000;
