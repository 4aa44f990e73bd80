/** Organisations and companies: size, activity and limits. Shows nothing of their contents. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { t } from '../../shared/texts/texts';
import { useLive } from '../data/use-live';
import { useMayChange } from '../session/session';
import { Empty, Trouble } from '../shell/parts';
import { NewTenant } from './new-tenant';
import { TenantTable } from './tenant-table';
import { wordFor, type Kind, type TenantRow } from './wire';
import classes from '../shell/parts.module.css';

const PAGE = 100;
/** Counting is expensive, and sizes change slowly. */
const EVERY_MS = 30_000;

interface Search {
  readonly kind: string;
  readonly search: string;
  readonly after: string;
}

const givenFields = (search: Search): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ''));

export function Tenants() {
  const mayChange = useMayChange();
  const [search, setSearch] = useState<Search>({ kind: '', search: '', after: '' });
  const { answer, error, reload } = useLive<{ kinds: readonly Kind[]; tenants: readonly TenantRow[] }>(
    '/tenants',
    { ...givenFields(search), limit: PAGE },
    EVERY_MS,
  );
  const tenants = answer?.tenants ?? [];
  const hasMore = search.kind !== '' && tenants.length === PAGE;
  return (
    <>
      <Trouble error={error} />
      <SearchForm kinds={answer?.kinds ?? []} onSearch={(next) => setSearch({ ...next, after: '' })} />
      {answer && tenants.length === 0 && <Empty>{t('tenant.none')}</Empty>}
      {tenants.length > 0 && <TenantTable tenants={tenants} after={reload} />}
      {hasMore && (
        <Button variant="default" onClick={() => setSearch({ ...search, after: tenants.at(-1)!.id })}>
          {t('tenant.more')}
        </Button>
      )}
      {mayChange && answer && <NewTenant kinds={answer.kinds} after={reload} />}
    </>
  );
}

interface SearchFormProps {
  readonly kinds: readonly Kind[];
  readonly onSearch: (search: Omit<Search, 'after'>) => void;
}

function SearchForm({ kinds, onSearch }: SearchFormProps) {
  const [fields, setFields] = useState({ kind: '', search: '' });
  const set = (name: keyof typeof fields) => (event: SyntheticEvent<HTMLInputElement | HTMLSelectElement>) => {
    const { value } = event.currentTarget;
    setFields((before) => ({ ...before, [name]: value }));
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    onSearch(fields);
  };
  const names = kinds.map(({ kind }) => ({ value: kind, label: wordFor(kind) }));
  return (
    <form role="search" aria-label={t('tenant.search')} className={classes.search} onSubmit={submit}>
      <NativeSelect
        label={t('tenant.kind')}
        data={[{ value: '', label: t('tenant.every') }, ...names]}
        value={fields.kind}
        onChange={set('kind')}
      />
      <TextInput label={t('tenant.part')} value={fields.search} onChange={set('search')} />
      <Button type="submit">{t('ops.find')}</Button>
    </form>
  );
}
