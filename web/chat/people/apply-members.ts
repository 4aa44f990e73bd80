/** Applies an event about others who became or are no longer members of streams. */
import type { ChatState } from '../data/store';
import type { ServerEvent } from '../data/wire';

/** Streams by name, because that is how these events name them. */
export function membersChange(
  { streams, members }: Pick<ChatState, 'streams' | 'members'>,
  event: ServerEvent,
): Pick<ChatState, 'members'> {
  const names = new Set(event['subscriptions'] as string[]);
  const next = new Map(members);
  for (const { name, stream_id: id } of streams.values()) {
    const known = names.has(name) ? members.get(id) : undefined;
    if (!known) continue;
    const changed = new Set(known);
    if (event.op === 'peer_add') changed.add(event['user_id'] as number);
    else changed.delete(event['user_id'] as number);
    next.set(id, changed);
  }
  return { members: next };
}
