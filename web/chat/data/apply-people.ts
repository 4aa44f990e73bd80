/** Applies an event about a person. */
import type { ChatState } from './store';
import type { Person, ServerEvent } from './wire';

type People = Pick<ChatState, 'people' | 'inactive'>;

export function personChange({ people, inactive }: People, { op, person }: ServerEvent): People {
  const { new_email: email, ...rest } = person as Partial<Person> & Pick<Person, 'user_id'> & { new_email?: string };
  // The event names the person by the old address.
  const given = email === undefined ? rest : { ...rest, email };
  const known = people.get(given.user_id);
  const gone = new Set(inactive);
  if (op === 'remove') gone.add(given.user_id);
  if (op === 'add') gone.delete(given.user_id);
  // A change says nothing else of somebody who is not known yet.
  const isWhole = op === 'add' || (op === 'update' && known !== undefined);
  return {
    people: isWhole ? new Map(people).set(given.user_id, { ...known, ...given } as Person) : people,
    inactive: gone,
  };
}
