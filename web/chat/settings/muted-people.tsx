/** The people whom the user has muted. */
import { Button } from '@mantine/core';
import { Section } from '../../shared/forms/section';
import { api } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { nameOf, useChat } from '../data/store';
import { PersonRow } from '../people/person-row';
import { useWork } from './use-work';
import classes from './settings.module.css';

export function MutedPeople() {
  const muted = useChat((state) => state.mutedUsers);
  const people = useChat((state) => state.people);
  const { isBusy, run } = useWork();
  return (
    <Section hint={t('mutedPeople.hint')}>
      {muted.size === 0 && <p>{t('mutedPeople.none')}</p>}
      <ul className={classes.list} aria-label={t('mutedPeople.title')}>
        {[...muted].map((id) => {
          const person = people.get(id);
          return (
            <li key={id}>
              <span className={classes.grow}>{person ? <PersonRow person={person} /> : nameOf(id)}</span>
              <Button
                size="compact-sm"
                variant="default"
                disabled={isBusy}
                aria-label={t('mutedPeople.unmute', { name: nameOf(id) })}
                onClick={() => void run(() => api.remove(`/users/me/muted_users/${id}`))}
              >
                {t('person.unmute')}
              </Button>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
