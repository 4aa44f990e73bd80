/** People for a typed name or address: those whom the reader writes to or mentions come first. */
import { bestMatches } from './rank';
import { chat } from './store';
import { usesOf } from './usage';
import type { Person } from './wire';

/** Conversations whose people are preferred. */
const RECENT = 50;

export function findPeople(typed: string, most: number, without: readonly number[] = []): Person[] {
  const { people, inactive, mutedUsers, conversations } = chat();
  const hidden = new Set([...inactive, ...mutedUsers, ...without]);
  const uses = usesOf('people');
  const recent = new Map<number, number>();
  for (const [index, { userIds }] of conversations.slice(0, RECENT).entries()) {
    for (const id of userIds) if (!recent.has(id)) recent.set(id, 1 - index / RECENT);
  }
  const weightOf = ({ user_id, is_bot }: Person): number =>
    (uses.get(String(user_id)) ?? 0) + (recent.get(user_id) ?? 0) - (is_bot ? 1000 : 0);
  const active = [...people.values()].filter(({ user_id }) => !hidden.has(user_id));
  const byName = bestMatches(active, typed, { nameOf: ({ full_name }) => full_name, weightOf, most });
  if (byName.length >= most) return byName;
  const byAddress = active.filter(
    (person) => person.email.toLowerCase().startsWith(typed.trim().toLowerCase()) && !byName.includes(person),
  );
  return [...byName, ...byAddress].slice(0, most);
}
