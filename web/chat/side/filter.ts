/** What the filter of the side bar finds. */
import { pathOf } from '../data/narrow';
import { namesOf, type ChatState } from '../data/store';
import { inOrder } from './stream-groups';

type Searched = Pick<ChatState, 'conversations' | 'people' | 'inactive' | 'mutedUsers'>;

/** People are more than anybody wants to see. */
const MAX_PEOPLE = 8;

/** Private conversations with these names, then people with whom there is none yet. */
export function privateMatches(
  { conversations, people, inactive, mutedUsers }: Searched,
  filter: string,
): (readonly number[])[] {
  const wanted = filter.trim().toLowerCase();
  const known = conversations.map(({ userIds }) => userIds).filter((ids) => !ids.every((id) => mutedUsers.has(id)));
  if (wanted === '') return known;
  const found = known.filter((userIds) => namesOf(people, userIds).toLowerCase().includes(wanted));
  const isKnown = new Set(found.map((userIds) => userIds.join()));
  for (const { user_id: id, full_name: name } of people.values()) {
    if (found.length >= isKnown.size + MAX_PEOPLE) break;
    if (name.toLowerCase().includes(wanted) && !inactive.has(id) && !mutedUsers.has(id) && !isKnown.has(String(id)))
      found.push([id]);
  }
  return found;
}

/** Where Enter leads: the first entry that is shown. */
export function firstMatch(state: Searched & Pick<ChatState, 'subscriptions'>, filter: string): string | undefined {
  const wanted = filter.trim().toLowerCase();
  if (wanted === '') return undefined;
  const stream = inOrder(state.subscriptions.values()).find(({ name }) => name.toLowerCase().includes(wanted));
  if (stream) return pathOf({ kind: 'stream', streamId: stream.stream_id });
  const [userIds] = privateMatches(state, filter);
  return userIds && pathOf({ kind: 'private', userIds });
}
