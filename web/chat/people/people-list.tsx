/** People with their faces, those online first. A virtual list, because there may be thousands. */
import { useMemo } from 'react';
import { VList } from 'virtua';
import { useChat } from '../data/store';
import type { Person } from '../data/wire';
import { showPerson } from '../dialogs/dialogs';
import { PersonRow } from './person-row';
import { presenceOf, type Here } from './presence-dot';
import classes from './people-panel.module.css';

const byName = new Intl.Collator();
const RANK: Readonly<Record<Here, number>> = { active: 0, idle: 1, offline: 2, bot: 3 };

/** All people if no members are given. */
export function PeopleList({ members }: { members: ReadonlySet<number> | undefined }) {
  const people = useChat((state) => state.people);
  const inactive = useChat((state) => state.inactive);
  const presence = useChat((state) => state.presence);
  const ownId = useChat((state) => state.ownId);
  const shown = useMemo(() => {
    const rank = (person: Person): number => RANK[presenceOf({ presence, people, ownId }, person.user_id)];
    return [...people.values()]
      .filter(({ user_id: id }) => !inactive.has(id) && (members?.has(id) ?? true))
      .map((each) => ({ each, rank: rank(each) }))
      .sort((a, b) => a.rank - b.rank || byName.compare(a.each.full_name, b.each.full_name))
      .map(({ each }) => each);
  }, [people, inactive, presence, ownId, members]);
  return (
    <VList className={classes.list} data={shown} itemSize={44}>
      {(person) => (
        <button
          key={person.user_id}
          type="button"
          className={classes.person}
          onClick={() => showPerson(person.user_id)}
        >
          <PersonRow person={person} isBeside />
        </button>
      )}
    </VList>
  );
}
