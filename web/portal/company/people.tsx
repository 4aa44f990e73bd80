/** The company's users: search, add, invite, change, delete. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Actions, DataTable } from '../../shared/tables/table';
import { t } from '../../shared/texts/texts';
import { PersonRow } from '../../shared/ui/person-row';
import { tell } from '../../shared/ui/toasts';
import { Pager } from '../../shared/tables/pager';
import { Confirm } from '../../shared/forms/parts';
import { FormError } from '../../shared/forms/section';
import { CallButton } from '../calls/call-button';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { useSignedIn } from '../session/session';
import { nameOf, type Contact } from '../wire';
import { Invitation } from './invitation';
import { PersonDialog } from './person-dialog';
import table from '../../shared/tables/table.module.css';

const PAGE = 50;

type Open =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'delete'; readonly contact: Contact }
  | { readonly kind: 'invited'; readonly contact: Contact };

export function People() {
  const { is_owner: isOwner } = useSignedIn();
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const [open, setOpen] = useState<Open>();
  const query = { page, items_per_page: PAGE, search: search.trim() };
  const people = useLoaded(JSON.stringify(query), () => api.list<Contact>('/system/company/contacts', query));
  const numbersOf = useHoldings();
  const invite = async (contact: Contact): Promise<void> => {
    const invited = await api.post<Contact>(`/company/contacts/${contact.id}/invitation`);
    setOpen({ kind: 'invited', contact: invited });
    await people.reload();
  };
  return (
    <>
      <div className={table.bar}>
        <TextInput
          className={table.grow}
          type="search"
          label={t('portal.findPerson')}
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            setPage(1);
          }}
        />
        {isOwner && <Button onClick={() => setOpen({ kind: 'add' })}>{t('portal.addPerson')}</Button>}
      </div>
      {!isOwner && <p role="note">{t('portal.peopleOwners')}</p>}
      <FormError text={people.error} />
      <DataTable
        label={t('portal.people')}
        heads={[t('portal.name'), t('portal.extension'), t('portal.access'), t('portal.actions')]}
        isLoading={people.isLoading}
      >
        {people.value?.items.map((contact) => (
          <Entry key={contact.id} contact={contact} numbers={numbersOf(contact)} onOpen={setOpen} onInvite={invite} />
        ))}
      </DataTable>
      <Pager page={page} size={PAGE} total={people.value?.total ?? 0} onPage={setPage} />
      <Dialogs open={open} setOpen={setOpen} numbersOf={numbersOf} onChanged={people.reload} />
    </>
  );
}

/** All extensions of each person; until they are known, the one that the list of people names. */
function useHoldings(): (contact: Contact) => readonly number[] {
  const held = useLoaded('holdings', () =>
    api.get<readonly { readonly contact_id: string; readonly number: number }[]>('/portal/api/holdings'),
  );
  return ({ id, extension }) => {
    if (!held.value) return extension ? [extension.number] : [];
    return held.value.filter(({ contact_id: holder }) => holder === id).map(({ number }) => number);
  };
}

function accessOf({ is_primary: isPrimary, activated, invitation }: Contact): string {
  if (!activated) return t('portal.disabled');
  if (invitation.status !== 'accepted') return t(`portal.invitation.${invitation.status}`);
  return t(isPrimary ? 'portal.owner' : 'portal.member');
}

interface EntryProps {
  readonly contact: Contact;
  readonly numbers: readonly number[];
  readonly onOpen: (open: Open) => void;
  readonly onInvite: (contact: Contact) => Promise<void>;
}

/** Faces differ by their colours. */
const hueOf = ({ id }: Contact): number => Number.parseInt(id.slice(-4), 16);

function Entry({ contact, numbers, onOpen, onInvite }: EntryProps) {
  const { is_owner: isOwner, contact_id: ownId } = useSignedIn();
  return (
    <tr>
      <td>
        <PersonRow name={nameOf(contact)} id={hueOf(contact)} address={contact.work_email} />
      </td>
      <td>
        {numbers.join(', ')}
        {contact.extension && <CallButton number={contact.extension.number} />}
      </td>
      <td>{accessOf(contact)}</td>
      <td>
        <Actions>
          {(isOwner || contact.id === ownId) && (
            <Button size="compact-sm" variant="default" onClick={() => onOpen({ kind: 'edit', contact })}>
              {t('portal.edit')}
            </Button>
          )}
          {isOwner && contact.invitation.status !== 'accepted' && (
            <Button size="compact-sm" variant="default" onClick={() => tell(onInvite(contact))}>
              {t('portal.inviteAgain')}
            </Button>
          )}
          {isOwner && !contact.is_primary && (
            <Button size="compact-sm" variant="default" onClick={() => onOpen({ kind: 'delete', contact })}>
              {t('portal.delete')}
            </Button>
          )}
        </Actions>
      </td>
    </tr>
  );
}

interface DialogsProps {
  readonly numbersOf: (contact: Contact) => readonly number[];
  readonly open: Open | undefined;
  readonly setOpen: (open: Open | undefined) => void;
  readonly onChanged: () => Promise<void>;
}

function Dialogs({ open, setOpen, numbersOf, onChanged }: DialogsProps) {
  const close = (): void => setOpen(undefined);
  if (!open) return null;
  if (open.kind === 'invited') return <Invitation contact={open.contact} onClose={close} />;
  if (open.kind === 'delete') {
    const { contact } = open;
    return <DeletePerson contact={contact} numbers={numbersOf(contact)} onClose={close} onDeleted={onChanged} />;
  }
  return (
    <PersonDialog
      {...(open.kind === 'edit' ? { contact: open.contact } : {})}
      onClose={close}
      onSaved={async (contact) => {
        setOpen(open.kind === 'add' ? { kind: 'invited', contact } : undefined);
        await onChanged();
      }}
    />
  );
}

interface DeletePersonProps {
  readonly contact: Contact;
  readonly numbers: readonly number[];
  readonly onDeleted: () => Promise<void>;
  readonly onClose: () => void;
}

function DeletePerson({ contact, numbers, onDeleted, onClose }: DeletePersonProps) {
  return (
    <Confirm
      title={t('portal.deletePerson', { name: nameOf(contact) })}
      action={t('portal.delete')}
      onClose={onClose}
      onConfirm={async () => {
        await api.remove(`/company/contacts/${contact.id}`);
        await onDeleted();
      }}
    >
      <p>
        {numbers.length > 0
          ? t('portal.deletePersonExtension', { number: numbers.join(', ') })
          : t('portal.deletePersonPlain')}
      </p>
    </Confirm>
  );
}
