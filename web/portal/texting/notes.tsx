/** What colleagues have noted about a conversation. The other side never sees it. */
import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { FormError } from '../../shared/forms/section';
import { useForm } from '../../shared/forms/use-form';
import { dateAndTimeOf } from '../../shared/texts/dates';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { IconButton } from '../../shared/ui/icon-button';
import { tell } from '../../shared/ui/toasts';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { useSignedIn } from '../session/session';
import { useColleague } from './colleagues';
import forms from '../../shared/forms/form.module.css';
import classes from './texting.module.css';

interface Note {
  readonly id: string;
  readonly user_id: string | null;
  readonly text: string;
  readonly created_at: string;
}

export function Notes({ conversationId }: { conversationId: string }) {
  const path = `/portal/api/conversation-notes/${conversationId}`;
  const { value, error, reload } = useLoaded(path, () => api.get<readonly Note[]>(path));
  const [isOpen, setOpen] = useState(false);
  const form = useForm({ text: '' });
  const add = form.submit(async ({ text }) => {
    await api.post(path, { text });
    form.reset({ text: '' });
    await reload();
  });
  const remove = async (id: string): Promise<void> => {
    await api.remove(`${path}/${id}`);
    await reload();
  };
  const open = (): void => {
    setOpen(true);
    void reload();
  };
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={open}>
        {t('portal.notesCount', { count: value?.length ?? 0 })}
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={t('portal.notes')}>
        <p>{t('portal.notesHint')}</p>
        <FormError text={error} />
        <ul className={classes.notes}>
          {value?.map((note) => (
            <NoteRow key={note.id} note={note} onDelete={() => tell(remove(note.id))} />
          ))}
        </ul>
        <form className={forms.form} onSubmit={add} noValidate>
          <Textarea label={t('portal.newNote')} autosize minRows={2} maxRows={8} {...form.input('text')} />
          <FormError text={form.error} />
          <div className={forms.actions}>
            <Button type="submit" loading={form.isBusy}>
              {t('portal.addNote')}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}

function NoteRow({ note, onDelete }: { note: Note; onDelete: () => void }) {
  const { contact_id: ownId, is_owner: isOwner } = useSignedIn();
  const colleague = useColleague(note.user_id);
  const author = note.user_id === null ? t('portal.formerColleague') : colleague;
  return (
    <li>
      <div>
        <b>{author}</b> <small>{dateAndTimeOf(Date.parse(note.created_at) / 1000)}</small>
        <p>{note.text}</p>
      </div>
      {(isOwner || note.user_id === ownId) && (
        <IconButton icon="trash" label={t('portal.deleteNote')} onClick={onDelete} />
      )}
    </li>
  );
}
