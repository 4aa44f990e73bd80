/** Topics of streams, newest first; loaded on demand and updated by events. */
import { api } from '../../shared/http/request';
import { chat, useChat, type Topic } from './store';

/** How the name of a resolved topic begins, as in Zulip. */
export const RESOLVED = '✔ ';

const asked = new Set<number>();

export async function loadTopics(streamId: number): Promise<void> {
  if (asked.has(streamId)) return;
  asked.add(streamId);
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

export function renameTopic(streamId: number, before: string, after: string, maxId: number): void {
  if (!chat().topics.has(streamId)) return;
  noteTopic(streamId, after, maxId);
  // Only the server knows whether the old topic still has messages.
  asked.delete(streamId);
  if (before.toLowerCase() !== after.toLowerCase()) void loadTopics(streamId);
}
