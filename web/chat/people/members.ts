/** The members of streams, loaded on demand and updated by events. */
import { api } from '../../shared/http/request';
import { chat, useChat } from '../data/store';

const asked = new Set<number>();

export async function loadMembers(streamId: number): Promise<void> {
  if (asked.has(streamId) || chat().members.has(streamId)) return;
  asked.add(streamId);
  try {
    const { subscribers } = await api.get<{ subscribers: readonly string[] }>(`/streams/${streamId}/members`);
    const wanted = new Set(subscribers);
    const ids = [...chat().people.values()].filter(({ email }) => wanted.has(email)).map(({ user_id }) => user_id);
    useChat.setState(({ members }) => ({ members: new Map(members).set(streamId, new Set(ids)) }));
  } catch {
    // Asked for again when the stream is shown again.
  } finally {
    asked.delete(streamId);
  }
}
