/** The stream field, mounted only while it has the focus. */
import { Select } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { t } from '../../shared/texts/texts';
import { useChat } from '../data/store';
import { inOrder } from '../side/stream-list';
import { changeDraft } from './state';
import classes from './compose.module.css';

const MAX_SHOWN = 50;

interface SelectProps {
  readonly streamId: number;
  /** What was typed before the field was mounted. */
  readonly typed: string;
  readonly onLeave: () => void;
}

export function StreamSelect({ streamId, typed, onLeave }: SelectProps) {
  const subscriptions = useChat((state) => state.subscriptions);
  const streams = useChat((state) => state.streams);
  const choices = useMemo(() => {
    const own = inOrder(subscriptions.values()).map(({ stream_id, name }) => ({
      value: String(stream_id),
      label: name,
    }));
    const here = streams.get(streamId);
    const isOther = here && !subscriptions.has(here.stream_id);
    return isOther ? [...own, { value: String(here.stream_id), label: here.name }] : own;
  }, [subscriptions, streams, streamId]);
  const [search, setSearch] = useState('');
  // After Mantine, which initially sets the name of the chosen stream.
  useEffect(() => {
    if (typed !== '') setSearch(typed);
  }, [typed]);
  return (
    <Select
      size="xs"
      aria-label={t('compose.stream')}
      placeholder={t('compose.stream')}
      data={choices}
      value={streamId > 0 ? String(streamId) : null}
      onChange={(value) => value !== null && changeDraft({ streamId: Number(value) })}
      onBlur={onLeave}
      searchValue={search}
      onSearchChange={setSearch}
      searchable
      allowDeselect={false}
      limit={MAX_SHOWN}
      className={classes.stream}
      autoFocus
      defaultDropdownOpened
    />
  );
}
