/** The organisation's people, those online first. A virtual list, because there may be thousands. */
import { useMemo } from 'react';
import { VList } from 'virtua';
import { t } from '../../shared/texts/texts';
import { useChat } from '../data/store';
import type { Person } from '../data/wire';
import { showPerson } from '../dialogs/dialogs';
import { PresenceDot, presenceOf, type Here } from './presence-dot';
import classes from './people-panel.module.css';

const byName = new Intl.Collator();
const RANK: Readonly<Record<Here, number>> = { active: 0, idle: 1, offline: 2, bot: 3 };

/** Rendered after the first conversation, because sorting thousands of people takes a while. */
export function PeoplePanel({ isWanted }: { isWanted: boolean }) {
  return (
    <aside className={classes.panel} aria-label={t('people.label')}>
      <h2 className={classes.heading}>{t('people.label')}</h2>
      {isWanted && <PeopleList />}
    </aside>
  );
}

function PeopleList() {
  const people = useChat((state) => state.people);
  const inactive = useChat((state) => state.inactive);
  const presence = useChat((state) => state.presence);
  const ownId = useChat((state) => state.ownId);
  const shown = useMemo(() => {
    const rank = (person: Person): number => RANK[presenceOf({ presence, people, ownId }, person.user_id)];
    const ranked = [...people.values()]
      .filter(({ user_id }) => !inactive.has(user_id))
      .map((each) => ({ each, rank: rank(each) }));
    return ranked
      .sort((a, b) => a.rank - b.rank || byName.compare(a.each.full_name, b.each.full_name))
      .map(({ each }) => each);
  }, [people, inactive, presence, ownId]);
  return (
    <VList className={classes.list} data={shown} itemSize={30}>
      {(person) => (
        <button
          key={person.user_id}
          type="button"
          className={classes.person}
          onClick={() => showPerson(person.user_id)}
        >
          <PresenceDot id={person.user_id} />
          <span>{person.full_name}</span>
        </button>
      )}
    </VList>
  );
}
