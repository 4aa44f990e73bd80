/** The recipients field, mounted only while it has the focus. */
import { MultiSelect } from '@mantine/core';
import { useMemo } from 'react';
import { t } from '../../shared/texts/texts';
import { useChat } from '../data/store';
import { changeDraft } from './state';
import classes from './compose.module.css';

const MAX_SHOWN = 50;

interface SelectProps {
  readonly userIds: readonly number[];
  /** What was typed before the field was mounted. */
  readonly typed: string;
  readonly onLeave: () => void;
}

export function PeopleSelect({ userIds, typed, onLeave }: SelectProps) {
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
      placeholder={userIds.length === 0 ? t('compose.people') : ''}
      data={choices}
      value={userIds.map(String)}
      onChange={(values) => changeDraft({ userIds: values.map(Number).sort((a, b) => a - b) })}
      onBlur={onLeave}
      defaultSearchValue={typed}
      searchable
      hidePickedOptions
      limit={MAX_SHOWN}
      className={classes.people}
      autoFocus
    />
  );
}
