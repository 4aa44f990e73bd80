/** The work search form. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { t } from '../../shared/texts/texts';
import { WORK_STATES } from '../data/wire';
import { TEXT_FIELDS, type Filter } from './filter';
import classes from '../shell/parts.module.css';

interface SearchFormProps {
  readonly filter: Filter;
  readonly workQueues: readonly string[];
  readonly onSearch: (filter: Partial<Filter>) => void;
}

export function SearchForm({ filter, workQueues, onSearch }: SearchFormProps) {
  const [fields, setFields] = useState(filter);
  const set = (name: keyof Filter) => (event: SyntheticEvent<HTMLInputElement | HTMLSelectElement>) => {
    const { value } = event.currentTarget;
    setFields((before) => ({ ...before, [name]: value }));
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    onSearch({ ...fields, before: '' });
  };
  const states = WORK_STATES.map((value) => ({ value, label: t(`workState.${value}`) }));
  // Includes a work queue from the URL that is not loaded yet.
  const names = [...new Set([...workQueues, ...(fields.work_queue === '' ? [] : [fields.work_queue])])];
  return (
    <form role="search" aria-label={t('ops.search')} className={classes.search} onSubmit={submit}>
      <NativeSelect
        label={t('ops.workQueue')}
        data={[{ value: '', label: t('ops.everyWorkQueue') }, ...names]}
        value={fields.work_queue}
        onChange={set('work_queue')}
      />
      <NativeSelect
        label={t('ops.state')}
        data={[{ value: 'any', label: t('ops.everyState') }, ...states]}
        value={fields.state}
        onChange={set('state')}
      />
      {TEXT_FIELDS.map((name) => (
        <TextInput key={name} label={t(`workField.${name}`)} value={fields[name]} onChange={set(name)} />
      ))}
      <Button type="submit">{t('ops.find')}</Button>
    </form>
  );
}
