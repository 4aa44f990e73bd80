/** The members of a stream: a virtual list, because there may be thousands. Administrators take people out. */
import { Button } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { VList } from 'virtua';
import { Section } from '../../shared/forms/section';
import { t } from '../../shared/texts/texts';
import { IconButton } from '../../shared/ui/icon-button';
import { subscribe, unsubscribe } from '../data/actions';
import { useChat, useIsAdmin } from '../data/store';
import type { Stream } from '../data/wire';
import { showPerson } from '../dialogs/dialogs';
import { loadMembers } from '../people/members';
import { PersonRow } from '../people/person-row';
import { PeopleField } from './people-field';
import { useWork } from './use-work';
import forms from '../../shared/forms/form.module.css';
import classes from './settings.module.css';
import own from './directory.module.css';
import rows from '../people/member-row.module.css';

const ROW = 44;
const MAX_ROWS = 8;
const byName = new Intl.Collator();

/** Undefined until they are there. */
function useMembers({ stream_id: id }: Stream) {
  const people = useChat((state) => state.people);
  const members = useChat((state) => state.members.get(id));
  // Members are told by address.
  const arePeopleThere = useChat((state) => state.awaited === undefined);
  useEffect(() => {
    if (arePeopleThere) void loadMembers(id);
  }, [arePeopleThere, id, members]);
  return useMemo(
    () =>
      members &&
      [...members]
        .flatMap((member) => people.get(member) ?? [])
        .sort((a, b) => byName.compare(a.full_name, b.full_name)),
    [members, people],
  );
}

export function StreamMembers({ stream }: { stream: Stream }) {
  const { name } = stream;
  const members = useMembers(stream);
  const isAdmin = useIsAdmin();
  const emails = useMemo(() => (members ?? []).map(({ email }) => email), [members]);
  const [added, setAdded] = useState<string[]>([]);
  const { isBusy, run } = useWork();
  const add = async (): Promise<void> => {
    if (await run(() => subscribe([name], { principals: added }))) setAdded([]);
  };
  const remove = (email: string): void => void run(() => unsubscribe(name, { principals: [email] }));
  const title = members ? t('directory.members', { count: members.length }) : t('directory.membersOf', { name });
  return (
    <Section title={title}>
      {!stream.is_archived && (
        <div className={forms.actions}>
          <PeopleField without={emails} value={added} onChange={setAdded} className={classes.grow} />
          <Button loading={isBusy} disabled={added.length === 0} onClick={() => void add()}>
            {t('directory.add')}
          </Button>
        </div>
      )}
      {members && members.length > 0 && (
        <VList
          className={own.members}
          data={members}
          itemSize={ROW}
          style={{ height: Math.min(members.length, MAX_ROWS) * ROW }}
        >
          {(person) => (
            <div key={person.user_id} className={`${own.member} ${rows.row}`}>
              <button type="button" onClick={({ currentTarget }) => showPerson(person.user_id, currentTarget)}>
                <PersonRow person={person} />
              </button>
              {isAdmin && (
                <IconButton
                  icon="close"
                  size={14}
                  label={t('directory.removePerson', { name: person.full_name })}
                  onClick={() => remove(person.email)}
                />
              )}
            </div>
          )}
        </VList>
      )}
    </Section>
  );
}
