/** Ring groups: extensions and numbers that ring together or one after the other. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../../shared/forms/parts';
import { FormError } from '../../shared/forms/section';
import { Pager } from '../../shared/tables/pager';
import { Actions, DataTable } from '../../shared/tables/table';
import { t } from '../../shared/texts/texts';
import { CallButton } from '../calls/call-button';
import { api, PBX_DEADLINE_MS } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { destinationText, useChoices, type Choices } from '../numbers/destinations';
import { OnInstance } from '../numbers/on-instance';
import type { RingGroup } from '../numbers/wire';
import { useSignedIn } from '../session/session';
import { GroupDialog } from './group-dialog';
import table from '../../shared/tables/table.module.css';

export const Groups = () => <OnInstance page="groups" about="ring-group" body={InstanceGroups} />;

const PAGE = 50;

type Open = { readonly kind: 'add' } | { readonly kind: 'edit' | 'delete'; readonly group: RingGroup };

function InstanceGroups({ uuid }: { uuid: string }) {
  const { is_owner: isOwner } = useSignedIn();
  const [page, setPage] = useState(1);
  const [open, setOpen] = useState<Open>();
  const path = `/instances/${uuid}/ring-groups`;
  const list = useLoaded(`${path} ${page}`, () => api.list<RingGroup>(path, { page, page_size: PAGE }));
  const choices = useChoices(uuid);
  const close = (): void => setOpen(undefined);
  const changed = async (): Promise<void> => void (await Promise.all([list.reload(), choices.reload()]));
  return (
    <>
      <div className={table.bar}>
        {isOwner ? (
          <Button onClick={() => setOpen({ kind: 'add' })}>{t('portal.addGroup')}</Button>
        ) : (
          <p role="note">{t('portal.groupsOwners')}</p>
        )}
      </div>
      <FormError text={list.error} />
      <DataTable
        label={t('portal.groups')}
        heads={[
          t('portal.number'),
          t('portal.name'),
          t('portal.members'),
          t('portal.noAnswer'),
          ...(isOwner ? [t('portal.actions')] : []),
        ]}
        isLoading={list.isLoading}
      >
        {list.value?.items.map((group) => (
          <Row
            key={group.id}
            group={group}
            choices={choices.value}
            onOpen={isOwner ? (kind) => setOpen({ kind, group }) : undefined}
          />
        ))}
      </DataTable>
      {list.value?.total === 0 && <p>{t('portal.noGroups')}</p>}
      <Pager page={page} size={PAGE} total={list.value?.total ?? 0} onPage={setPage} />
      {open && <OpenDialog open={open} path={path} choices={choices.value} onClose={close} onChanged={changed} />}
    </>
  );
}

interface OpenDialogProps {
  readonly open: Open;
  readonly path: string;
  readonly choices: Choices | undefined;
  readonly onClose: () => void;
  readonly onChanged: () => Promise<void>;
}

function OpenDialog({ open, path, choices, onClose, onChanged }: OpenDialogProps) {
  if (open.kind !== 'delete')
    return (
      <GroupDialog
        path={path}
        group={open.kind === 'edit' ? open.group : undefined}
        choices={choices}
        onClose={onClose}
        onSaved={async () => {
          onClose();
          await onChanged();
        }}
      />
    );
  return (
    <Confirm
      title={t('portal.deleteGroup', { name: open.group.name })}
      action={t('portal.delete')}
      onClose={onClose}
      onConfirm={async () => {
        await api.remove(`${path}/${open.group.id}`, PBX_DEADLINE_MS);
        await onChanged();
      }}
    >
      <p>{t('portal.deleteGroupHint')}</p>
    </Confirm>
  );
}

interface RowProps {
  readonly group: RingGroup;
  readonly choices: Choices | undefined;
  readonly onOpen: ((kind: 'edit' | 'delete') => void) | undefined;
}

function Row({ group, choices, onOpen }: RowProps) {
  return (
    <tr>
      <td>
        {group.number}
        <CallButton number={group.number} />
      </td>
      <td>{group.name}</td>
      <td className={table.words}>
        {group.members.join(', ')}
        <small>{t(`portal.strategy.${group.strategy}`, { seconds: group.ring_time })}</small>
      </td>
      <td className={table.words}>{destinationText(group.no_answer, choices)}</td>
      {onOpen && (
        <td>
          <Actions>
            <Button size="compact-sm" variant="default" onClick={() => onOpen('edit')}>
              {t('portal.edit')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => onOpen('delete')}>
              {t('portal.delete')}
            </Button>
          </Actions>
        </td>
      )}
    </tr>
  );
}
