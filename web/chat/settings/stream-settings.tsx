/** One stream: its properties, the user's subscription, its subscribers. */
import { Button, Switch, TextInput } from '@mantine/core';
import { useCallback, useEffect, useMemo, useState, type SyntheticEvent } from 'react';
import { Link } from 'wouter';
import { messageOf } from '../../shared/http/message-of';
import { api } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { IconButton } from '../../shared/ui/icon-button';
import { tell, toast } from '../../shared/ui/toasts';
import { setSubscription, subscribe, unsubscribe } from '../data/actions';
import { pathOf } from '../data/narrow';
import { useChat, useIsAdmin } from '../data/store';
import type { Stream, Subscription } from '../data/wire';
import { showPerson } from '../dialogs/dialogs';
import { Section } from '../../shared/forms/section';
import { PeopleField } from './people-field';
import { SureButton } from './sure-button';
import { useWork } from './use-work';
import forms from '../../shared/forms/form.module.css';
import classes from './settings.module.css';
import own from './directory.module.css';

export function StreamSettings({ stream }: { stream: Stream }) {
  const subscription = useChat((state) => state.subscriptions.get(stream.stream_id));
  const isAdmin = useIsAdmin();
  return (
    <>
      <h2>{stream.name}</h2>
      <p className={forms.dim}>{stream.description}</p>
      <p>
        <Link href={pathOf({ kind: 'stream', streamId: stream.stream_id })}>{t('directory.read')}</Link>
      </p>
      {subscription && <OwnChoices subscription={subscription} />}
      {isAdmin && <EditStream stream={stream} />}
      <Members stream={stream} />
    </>
  );
}

function OwnChoices({ subscription }: { subscription: Subscription }) {
  const { stream_id, is_muted, pin_to_top, desktop_notifications, color } = subscription;
  const set = (property: string, value: unknown): void => tell(setSubscription(stream_id, property, value));
  return (
    <Section title={t('directory.yours')}>
      <div className={classes.checks}>
        <Switch label={t('stream.mute')} checked={is_muted} onChange={() => set('is_muted', !is_muted)} />
        <Switch label={t('stream.pin')} checked={pin_to_top} onChange={() => set('pin_to_top', !pin_to_top)} />
        <Switch
          label={t('directory.notify')}
          checked={desktop_notifications}
          onChange={() => set('desktop_notifications', !desktop_notifications)}
        />
        <label className={forms.actions}>
          <input type="color" value={color} onChange={(event) => set('color', event.currentTarget.value)} />
          {t('directory.colour')}
        </label>
      </div>
    </Section>
  );
}

function EditStream({ stream }: { stream: Stream }) {
  const [name, setName] = useState(stream.name);
  const [description, setDescription] = useState(stream.description);
  const { isBusy, run } = useWork();
  const path = `/streams/${stream.stream_id}`;
  const save = (event: SyntheticEvent): void => {
    event.preventDefault();
    const change = {
      ...(name.trim() === stream.name ? {} : { new_name: JSON.stringify(name.trim()) }),
      ...(description === stream.description ? {} : { description: JSON.stringify(description) }),
    };
    void run(() => api.patch(path, change));
  };
  const isSame = name.trim() === stream.name && description === stream.description;
  return (
    <Section title={t('directory.edit')}>
      <form className={forms.form} onSubmit={save}>
        <TextInput
          label={t('directory.name')}
          value={name}
          maxLength={60}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={t('directory.description')}
          value={description}
          maxLength={1024}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Button type="submit" loading={isBusy} disabled={isSame || name.trim() === ''}>
          {t('action.save')}
        </Button>
        <Switch
          label={t('directory.private')}
          checked={stream.invite_only}
          onChange={() => void run(() => api.patch(path, { is_private: !stream.invite_only }))}
        />
        <Switch
          label={t('directory.announcement')}
          checked={stream.is_announcement_only}
          onChange={() => void run(() => api.patch(path, { is_announcement_only: !stream.is_announcement_only }))}
        />
        <SureButton onSure={() => tell(api.remove(path), t('directory.archived'))}>{t('directory.archive')}</SureButton>
      </form>
    </Section>
  );
}

function Members({ stream }: { stream: Stream }) {
  const people = useChat((state) => state.people);
  const isSubscribed = useChat((state) => state.subscriptions.has(stream.stream_id));
  const isAdmin = useIsAdmin();
  const [emails, setEmails] = useState<readonly string[]>([]);
  const [added, setAdded] = useState<string[]>([]);
  const { isBusy, run } = useWork();
  const load = useCallback(async (): Promise<void> => {
    const answer = await api.get<{ subscribers: string[] }>(`/streams/${stream.stream_id}/members`);
    setEmails(answer.subscribers);
  }, [stream.stream_id]);
  useEffect(() => {
    load().catch((error: unknown) => toast(messageOf(error), true));
  }, [load, isSubscribed]);
  const members = useMemo(() => {
    const wanted = new Set(emails);
    const found = [...people.values()].filter(({ email }) => wanted.has(email));
    return found.sort((a, b) => a.full_name.localeCompare(b.full_name));
  }, [emails, people]);
  const add = async (): Promise<void> => {
    const isDone = await run(async () => {
      await subscribe([stream.name], { principals: added });
      await load();
    });
    if (isDone) setAdded([]);
  };
  const remove = (email: string): void =>
    void run(async () => {
      await unsubscribe(stream.name, { principals: [email] });
      await load();
    });
  return (
    <Section title={t('directory.members', { count: members.length })}>
      <div className={forms.actions}>
        <PeopleField without={emails} value={added} onChange={setAdded} className={classes.grow} />
        <Button loading={isBusy} disabled={added.length === 0} onClick={() => void add()}>
          {t('directory.add')}
        </Button>
      </div>
      <ul className={own.members}>
        {members.map(({ user_id, full_name, email }) => (
          <li key={user_id}>
            <button type="button" onClick={() => showPerson(user_id)}>
              {full_name}
            </button>
            {isAdmin && (
              <IconButton
                icon="close"
                size={14}
                label={t('directory.removePerson', { name: full_name })}
                onClick={() => remove(email)}
              />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
