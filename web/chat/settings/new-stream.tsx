/** The form for a new stream, with its first members. It leads into the stream. */
import { Button, Switch, TextInput } from '@mantine/core';
import { useMemo, useState, type SyntheticEvent } from 'react';
import { useLocation } from 'wouter';
import { Section } from '../../shared/forms/section';
import { t } from '../../shared/texts/texts';
import { subscribe } from '../data/actions';
import { pathOf } from '../data/narrow';
import { chat, useChat, useIsAdmin } from '../data/store';
import type { Stream } from '../data/wire';
import { FolderSelect } from '../streams/folder-select';
import { PolicySelect } from '../streams/policy-select';
import type { PostPolicy } from '../streams/post-policy';
import { PeopleField } from './people-field';
import { useWork } from './use-work';
import forms from '../../shared/forms/form.module.css';

export function NewStream() {
  const [, go] = useLocation();
  const isAdmin = useIsAdmin();
  const [fields, setFields] = useState({ name: '', description: '', isPrivate: false });
  const [policy, setPolicy] = useState<PostPolicy>(1);
  const [folder, setFolder] = useState<number | null>(null);
  const [people, setPeople] = useState<string[]>([]);
  const own = useChat((state) => state.people.get(state.ownId)?.email ?? '');
  const without = useMemo(() => [own], [own]);
  const { isBusy, run } = useWork();
  const isTaken = useChat(() => streamNamed(fields.name.trim())?.is_archived === true);
  const create = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    const { name, description, isPrivate } = fields;
    const isDone = await run(
      () =>
        subscribe([], {
          subscriptions: [{ name: name.trim(), description }],
          invite_only: isPrivate,
          stream_post_policy: policy,
          announce: !isPrivate,
          ...(folder === null ? {} : { folder_id: folder }),
          // Only these become members, so the creator is one of them.
          principals: [own, ...people],
        }),
      t('directory.created'),
    );
    if (isDone) go(await pathOfNew(name.trim()));
  };
  return (
    <Section title={t('directory.new')}>
      <form className={forms.form} onSubmit={(event) => void create(event)}>
        <TextInput
          label={t('directory.name')}
          value={fields.name}
          maxLength={60}
          error={isTaken && t('directory.nameArchived')}
          data-autofocus
          onChange={(event) => setFields({ ...fields, name: event.currentTarget.value })}
        />
        <TextInput
          label={t('directory.description')}
          value={fields.description}
          maxLength={1024}
          onChange={(event) => setFields({ ...fields, description: event.currentTarget.value })}
        />
        <FolderSelect value={folder} onChange={setFolder} />
        <PeopleField hasLabel without={without} value={people} onChange={setPeople} />
        <Switch
          label={t('directory.private')}
          checked={fields.isPrivate}
          onChange={(event) => setFields({ ...fields, isPrivate: event.currentTarget.checked })}
        />
        {isAdmin && <PolicySelect value={policy} onChange={setPolicy} />}
        <Button type="submit" loading={isBusy} disabled={fields.name.trim() === '' || isTaken}>
          {t('directory.create')}
        </Button>
      </form>
    </Section>
  );
}

/** How long to wait for the event about the new stream. */
const PATIENCE_MS = 10_000;

const streamNamed = (name: string): Stream | undefined =>
  [...chat().streams.values()].find((each) => each.name.toLowerCase() === name.toLowerCase());

/** Events tell of the stream soon after its creation. */
function pathOfNew(name: string): Promise<string> {
  const path = (): string | undefined => {
    const stream = streamNamed(name);
    return stream && pathOf({ kind: 'stream', streamId: stream.stream_id });
  };
  return new Promise((resolve) => {
    const done = (to: string): void => {
      stop();
      clearTimeout(timer);
      resolve(to);
    };
    const look = (): void => {
      const found = path();
      if (found !== undefined) done(found);
    };
    const timer = setTimeout(() => done('/streams'), PATIENCE_MS);
    const stop = useChat.subscribe(look);
    look();
  });
}
