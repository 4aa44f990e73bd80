/** Who has read a message. */
import { Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { api } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { nameOf, useChat } from '../data/store';
import { PersonRow } from '../people/person-row';
import { closeDialog, showPerson } from './dialogs';
import classes from './readers-dialog.module.css';

export function ReadersDialog({ messageId }: { messageId: number }) {
  const [readers, setReaders] = useState<readonly number[]>();
  const [error, setError] = useState('');
  useEffect(() => {
    api
      .get<{ user_ids: readonly number[] }>(`/messages/${messageId}/read_receipts`)
      .then(({ user_ids }) => setReaders(user_ids))
      .catch((reason: unknown) => setError(messageOf(reason)));
  }, [messageId]);
  const named = readers?.map((id) => ({ id, name: nameOf(id) })).sort((a, b) => a.name.localeCompare(b.name));
  const title = named && named.length > 0 ? t('readers.title', { count: named.length }) : t('message.readers');
  return (
    <Dialog opened onClose={closeDialog} title={title}>
      {error !== '' && <p role="alert">{error}</p>}
      {!named && error === '' && <Loader role="status" size="sm" aria-label={t('loading')} />}
      {named?.length === 0 && <p>{t('readers.none')}</p>}
      <ul className={classes.list}>
        {named?.map(({ id, name }) => (
          <li key={id}>
            <button type="button" onClick={() => showPerson(id)}>
              <Reader id={id} name={name} />
            </button>
          </li>
        ))}
      </ul>
      {named && <p className={classes.hint}>{t('readers.hint')}</p>}
    </Dialog>
  );
}

function Reader({ id, name }: { id: number; name: string }) {
  const person = useChat((state) => state.people.get(id));
  return person ? <PersonRow person={person} /> : name;
}
