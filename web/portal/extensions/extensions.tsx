/** A PBX's extensions, searched, sorted and paged by the server, with their provisioning states. */
import { Button, Select, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { t } from '../../shared/texts/texts';
import { FormError } from '../../shared/forms/section';
import { Pager } from '../../shared/tables/pager';
import { api, type Listed } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { ForwardsDialog } from '../groups/forwards-dialog';
import type { Arrangement } from '../numbers/wire';
import { useSignedIn } from '../session/session';
import { OneInstance } from '../shell/one-instance';
import type { Extension } from '../wire';
import { CredentialsDialog } from './credentials-dialog';
import { DeleteExtension } from './delete-extension';
import { ExtensionDialog } from './extension-dialog';
import { ExtensionTable } from './extension-table';
import { RepairButton } from './repair-button';
import { useStandings } from './use-standings';
import { WarningsDialog } from './warnings';
import table from '../../shared/tables/table.module.css';

const PAGE = 50;
const SEARCH_PAUSE_MS = 250;
const NOTHING: Listed<Extension> = { items: [], total: 0 };

type Open =
  | { readonly kind: 'add' }
  | { readonly kind: 'credentials' | 'delete' | 'edit' | 'forwards' | 'warnings'; readonly extension: Extension };

export const Extensions = () => (
  <OneInstance page="extensions">{(uuid) => <InstanceExtensions key={uuid} uuid={uuid} />}</OneInstance>
);

/** Debounces the search text. */
function useLate(text: string): string {
  const [late, setLate] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLate(text), SEARCH_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return late;
}

function InstanceExtensions({ uuid }: { uuid: string }) {
  const { is_owner: isOwner } = useSignedIn();
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<string | null>(null);
  const [isByUser, setByUser] = useState(false);
  const [page, setPage] = useState(1);
  const [open, setOpen] = useState<Open>();
  const path = `/instances/${uuid}/bulks/extensions`;
  const detail = useLoaded(uuid, () => api.get<{ arrangements: readonly Arrangement[] }>(`/instances/${uuid}`));
  const late = useLate(search).trim();
  const query = { search: late, filter_by: filter ?? '', by_user: isByUser ? 'on' : '', page, page_size: PAGE };
  const list = useLoaded(JSON.stringify(query), () => api.list<Extension>(path, query));
  const { items: extensions, total } = list.value ?? NOTHING;
  const standings = useStandings(
    uuid,
    extensions.map(({ data }) => data.id),
  );
  const changed = async (): Promise<void> => void (await Promise.all([list.reload(), standings.reload()]));
  return (
    <>
      <div className={table.bar}>
        <Finder
          search={search}
          filter={filter}
          onSearch={(text) => {
            setSearch(text);
            setPage(1);
          }}
          onFilter={(value) => {
            setFilter(value);
            setPage(1);
          }}
        />
        <Button onClick={() => setOpen({ kind: 'add' })}>{t('portal.addExtension')}</Button>
        {isOwner && <RepairButton uuid={uuid} onDone={changed} />}
      </div>
      <FormError text={list.error} />
      <ExtensionTable
        extensions={extensions}
        isLoading={list.isLoading}
        standings={standings.byNumber}
        hasForwards={detail.value?.arrangements.includes('forwards') ?? false}
        isByUser={isByUser}
        onSort={(byUser) => {
          setByUser(byUser);
          setPage(1);
        }}
        onOpen={(kind, extension) => setOpen({ kind, extension })}
        onRetried={changed}
      />
      {list.value && total === 0 && (
        <p>{t(late === '' && filter === null ? 'portal.firstExtension' : 'portal.noExtensions')}</p>
      )}
      <Pager page={page} size={PAGE} total={total} onPage={setPage} />
      <Dialogs open={open} path={path} setOpen={setOpen} onChanged={changed} />
    </>
  );
}

interface DialogsProps {
  readonly open: Open | undefined;
  readonly path: string;
  readonly setOpen: (open: Open | undefined) => void;
  readonly onChanged: () => Promise<void>;
}

function Dialogs({ open, path, setOpen, onChanged }: DialogsProps) {
  const close = (): void => setOpen(undefined);
  switch (open?.kind) {
    case undefined:
      return null;
    case 'credentials':
      return <CredentialsDialog extension={open.extension} onClose={close} onChanged={onChanged} />;
    case 'warnings':
      return <WarningsDialog extension={open.extension} onClose={close} />;
    case 'forwards':
      return <ForwardsDialog extension={open.extension} onClose={close} />;
    case 'delete':
      return <DeleteExtension path={path} extension={open.extension} onClose={close} onDeleted={onChanged} />;
    case 'add':
    case 'edit':
      return (
        <ExtensionDialog
          path={path}
          extension={open.kind === 'edit' ? open.extension : undefined}
          onClose={close}
          onSaved={async (extension) => {
            setOpen(afterSaving(open.kind === 'add', extension));
            await onChanged();
          }}
        />
      );
  }
}

/** A new extension shows its credentials, and anything what the PBX does not take of it. */
function afterSaving(isNew: boolean, extension: Extension): Open | undefined {
  if (isNew) return { kind: 'credentials', extension };
  return extension.warnings.length > 0 ? { kind: 'warnings', extension } : undefined;
}

interface FinderProps {
  readonly search: string;
  readonly filter: string | null;
  readonly onSearch: (text: string) => void;
  readonly onFilter: (filter: string | null) => void;
}

function Finder({ search, filter, onSearch, onFilter }: FinderProps) {
  return (
    <>
      <TextInput
        className={table.grow}
        label={t('portal.search')}
        type="search"
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
      />
      <Select
        label={t('portal.filter')}
        placeholder={t('portal.all')}
        data={[
          { value: 'unassigned', label: t('portal.unassigned') },
          { value: 'softphone', label: t('portal.softphones') },
          { value: 'failed', label: t('portal.failedOnes') },
          { value: 'unregistered', label: t('portal.unregistered') },
        ]}
        value={filter}
        clearable
        onChange={onFilter}
      />
    </>
  );
}
