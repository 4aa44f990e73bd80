/** To whom a message goes: a stream and a topic, or people. */
import { MultiSelect, Select } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import { t } from '../../shared/texts/texts';
import { useChat } from '../data/store';
import { loadTopics } from '../data/topics';
import { inOrder } from '../shell/stream-list';
import { changeDraft } from './state';
import type { Draft } from './drafts';
import classes from './compose.module.css';

const MOST_TOPICS = 60;
const MOST_SHOWN = 50;

export function TargetFields({ draft }: { draft: Draft }) {
  return (
    <div className={classes.target}>
      {draft.type === 'stream' ? <StreamTarget draft={draft} /> : <PeopleTarget draft={draft} />}
    </div>
  );
}

function StreamTarget({ draft }: { draft: Draft }) {
  const subscriptions = useChat((state) => state.subscriptions);
  const streams = useChat((state) => state.streams);
  const topics = useChat((state) => state.topics.get(draft.streamId));
  useEffect(() => {
    if (draft.streamId > 0) void loadTopics(draft.streamId);
  }, [draft.streamId]);
  const choices = useMemo(() => {
    const own = inOrder(subscriptions.values()).map(({ stream_id, name }) => ({
      value: String(stream_id),
      label: name,
    }));
    const here = streams.get(draft.streamId);
    const isOther = here && !subscriptions.has(here.stream_id);
    return isOther ? [...own, { value: String(here.stream_id), label: here.name }] : own;
  }, [subscriptions, streams, draft.streamId]);
  return (
    <>
      <Select
        size="xs"
        aria-label={t('compose.stream')}
        placeholder={t('compose.stream')}
        data={choices}
        value={draft.streamId > 0 ? String(draft.streamId) : null}
        onChange={(value) => value !== null && changeDraft({ streamId: Number(value) })}
        searchable
        allowDeselect={false}
        limit={MOST_SHOWN}
        className={classes.stream}
      />
      <span aria-hidden="true">›</span>
      <input
        id="compose-topic"
        className={classes.topic}
        aria-label={t('compose.topic')}
        placeholder={t('compose.topic')}
        value={draft.topic}
        maxLength={60}
        list="compose-topics"
        autoComplete="off"
        onChange={(event) => changeDraft({ topic: event.currentTarget.value })}
      />
      <datalist id="compose-topics">
        {topics?.slice(0, MOST_TOPICS).map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

function PeopleTarget({ draft }: { draft: Draft }) {
  const people = useChat((state) => state.people);
  const inactive = useChat((state) => state.inactive);
  const choices = useMemo(
    () =>
      [...people.values()]
        .filter(({ user_id }) => !inactive.has(user_id))
        .map(({ user_id, full_name, email }) => ({ value: String(user_id), label: `${full_name} (${email})` })),
    [people, inactive],
  );
  return (
    <MultiSelect
      id="compose-people"
      size="xs"
      aria-label={t('compose.people')}
      placeholder={draft.userIds.length === 0 ? t('compose.people') : ''}
      data={choices}
      value={draft.userIds.map(String)}
      onChange={(values) => changeDraft({ userIds: values.map(Number).sort((a, b) => a - b) })}
      searchable
      hidePickedOptions
      limit={MOST_SHOWN}
      className={classes.people}
    />
  );
}
