/** One stream: its description, the user's subscription, its rules and its members. */
import { Button, Switch, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { Link } from 'wouter';
import { api } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { setSubscription, unarchiveStream } from '../data/actions';
import { pathOf } from '../data/narrow';
import { useChat, useIsAdmin } from '../data/store';
import type { Stream, Subscription } from '../data/wire';
import { showDialog } from '../dialogs/dialogs';
import { RichText } from '../message/rich-text';
import { Section } from '../../shared/forms/section';
import { FolderSelect } from '../streams/folder-select';
import { PolicySelect } from '../streams/policy-select';
import { policyOf } from '../streams/post-policy';
import { StreamMembers } from './stream-members';
import { StreamRules } from './stream-rules';
import { useWork } from './use-work';
import forms from '../../shared/forms/form.module.css';
import classes from './settings.module.css';

export function StreamSettings({ stream }: { stream: Stream }) {
  const subscription = useChat((state) => state.subscriptions.get(stream.stream_id));
  const isAdmin = useIsAdmin();
  return (
    <>
      <h2>{stream.name}</h2>
      <div className={forms.dim}>
        <RichText html={stream.rendered_description} />
      </div>
      <p>
        <Link href={pathOf({ kind: 'stream', streamId: stream.stream_id })}>{t('directory.read')}</Link>
      </p>
      {stream.is_archived && <p role="note">{t('stream.isArchived')}</p>}
      {subscription && <OwnChoices subscription={subscription} />}
      {isAdmin && <EditStream stream={stream} />}
      <StreamRules stream={stream} />
      <StreamMembers stream={stream} />
    </>
  );
}

const NOTICES = [
  ['desktop_notifications', 'directory.notify'],
  ['push_notifications', 'directory.push'],
  ['audible_notifications', 'directory.sound'],
  ['email_notifications', 'directory.email'],
  ['wildcard_mentions_notify', 'directory.wildcard'],
] as const;

function OwnChoices({ subscription }: { subscription: Subscription }) {
  const { stream_id, is_muted, pin_to_top, color } = subscription;
  const set = (property: string, value: unknown): void => tell(setSubscription(stream_id, property, value));
  return (
    <Section title={t('directory.yours')}>
      <div className={classes.checks}>
        <Switch label={t('stream.mute')} checked={is_muted} onChange={() => set('is_muted', !is_muted)} />
        <Switch label={t('stream.pin')} checked={pin_to_top} onChange={() => set('pin_to_top', !pin_to_top)} />
        {NOTICES.map(([property, text]) => (
          <Switch
            key={property}
            label={t(text)}
            checked={subscription[property]}
            onChange={() => set(property, !subscription[property])}
          />
        ))}
        <label className={classes.colour}>
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
        <FolderSelect
          value={stream.folder_id ?? null}
          onChange={(folder) => void run(() => api.patch(path, { folder_id: JSON.stringify(folder) }))}
        />
        <Switch
          label={t('directory.private')}
          checked={stream.invite_only}
          onChange={() => void run(() => api.patch(path, { is_private: !stream.invite_only }))}
        />
        {stream.invite_only && (
          <Switch
            label={t('directory.history')}
            checked={stream.history_public_to_subscribers}
            onChange={() =>
              void run(() =>
                api.patch(path, {
                  is_private: true,
                  history_public_to_subscribers: !stream.history_public_to_subscribers,
                }),
              )
            }
          />
        )}
        <PolicySelect
          value={policyOf(stream)}
          onChange={(policy) => void run(() => api.patch(path, { stream_post_policy: policy }))}
        />
        <ArchiveButton stream={stream} />
      </form>
    </Section>
  );
}

function ArchiveButton({ stream: { stream_id: streamId, is_archived: isArchived } }: { stream: Stream }) {
  const unarchive = (): void => tell(unarchiveStream(streamId), t('stream.unarchived'));
  const run = isArchived ? unarchive : () => showDialog({ kind: 'archive-stream', streamId });
  return (
    <Button type="button" variant="default" onClick={run}>
      {t(isArchived ? 'stream.unarchive' : 'stream.archive')}
    </Button>
  );
}
