/** The numbers of a company, and where their calls go. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../../shared/forms/parts';
import { FormError } from '../../shared/forms/section';
import { Pager } from '../../shared/tables/pager';
import { Actions, DataTable } from '../../shared/tables/table';
import { t } from '../../shared/texts/texts';
import { api, PBX_DEADLINE_MS } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { useSignedIn } from '../session/session';
import { type Choices, destinationText, useChoices } from './destinations';
import { NumberDialog } from './number-dialog';
import { OnInstance } from './on-instance';
import type { OutsideNumber } from './wire';
import table from '../../shared/tables/table.module.css';

export const Numbers = () => <OnInstance page="numbers" about="number" body={InstanceNumbers} />;

const PAGE = 50;

type Open = { readonly kind: 'add' } | { readonly kind: 'edit' | 'delete'; readonly number: OutsideNumber };

function InstanceNumbers({ uuid }: { uuid: string }) {
  const { is_owner: isOwner } = useSignedIn();
  const [page, setPage] = useState(1);
  const [open, setOpen] = useState<Open>();
  const path = `/instances/${uuid}/numbers`;
  const list = useLoaded(`${path} ${page}`, () => api.list<OutsideNumber>(path, { page, page_size: PAGE }));
  const choices = useChoices(uuid);
  const close = (): void => setOpen(undefined);
  return (
    <>
      <div className={table.bar}>
        {isOwner ? (
          <Button onClick={() => setOpen({ kind: 'add' })}>{t('portal.addNumber')}</Button>
        ) : (
          <p role="note">{t('portal.numbersOwners')}</p>
        )}
      </div>
      <FormError text={list.error} />
      <DataTable
        label={t('portal.numbers')}
        heads={[t('portal.number'), t('portal.name'), t('portal.leadsTo'), ...(isOwner ? [t('portal.actions')] : [])]}
        isLoading={list.isLoading}
      >
        {list.value?.items.map((number) => (
          <tr key={number.id}>
            <td>{number.number}</td>
            <td>{number.name}</td>
            <td className={table.words}>{destinationText(number.destination, choices.value)}</td>
            {isOwner && (
              <td>
                <Actions>
                  <Button size="compact-sm" variant="default" onClick={() => setOpen({ kind: 'edit', number })}>
                    {t('portal.edit')}
                  </Button>
                  <Button size="compact-sm" variant="default" onClick={() => setOpen({ kind: 'delete', number })}>
                    {t('portal.delete')}
                  </Button>
                </Actions>
              </td>
            )}
          </tr>
        ))}
      </DataTable>
      {list.value?.total === 0 && <p>{t('portal.noNumbers')}</p>}
      <Pager page={page} size={PAGE} total={list.value?.total ?? 0} onPage={setPage} />
      {open && <OpenDialog open={open} path={path} choices={choices.value} onClose={close} onChanged={list.reload} />}
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
      <NumberDialog
        path={path}
        number={open.kind === 'edit' ? open.number : undefined}
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
      title={t('portal.deleteNumber', { number: open.number.number })}
      action={t('portal.delete')}
      onClose={onClose}
      onConfirm={async () => {
        await api.remove(`${path}/${open.number.id}`, PBX_DEADLINE_MS);
        await onChanged();
      }}
    >
      <p>{t('portal.deleteNumberHint')}</p>
    </Confirm>
  );
}
