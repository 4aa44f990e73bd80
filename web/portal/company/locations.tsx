/** The company's locations. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Actions, DataTable } from '../../shared/tables/table';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { toast } from '../../shared/ui/toasts';
import { Confirm } from '../../shared/forms/parts';
import { FormError } from '../../shared/forms/section';
import { useForm } from '../../shared/forms/use-form';
import { CallButton } from '../calls/call-button';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { useSignedIn } from '../session/session';
import type { Location } from '../wire';
import classes from '../../shared/forms/form.module.css';
import table from '../../shared/tables/table.module.css';

type Open = { readonly kind: 'add' } | { readonly kind: 'edit' | 'delete'; readonly location: Location };

export function Locations() {
  const { is_owner: isOwner } = useSignedIn();
  const [open, setOpen] = useState<Open>();
  const locations = useLoaded('locations', () => api.list<Location>('/company/locations'));
  const close = (): void => setOpen(undefined);
  return (
    <>
      <div className={table.bar}>
        {isOwner ? (
          <Button onClick={() => setOpen({ kind: 'add' })}>{t('portal.addLocation')}</Button>
        ) : (
          <p role="note">{t('portal.locationsOwners')}</p>
        )}
      </div>
      <FormError text={locations.error} />
      <DataTable
        label={t('portal.locations')}
        heads={[t('portal.name'), t('portal.place'), t('portal.phone'), ...(isOwner ? [t('portal.actions')] : [])]}
        isLoading={locations.isLoading}
      >
        {locations.value?.items.map((location) => (
          <tr key={location.id}>
            <td>{location.name}</td>
            <td>
              {[location.zip, location.city].filter((part) => part !== '').join(' ')}
              <small>{[location.state, location.country].filter((part) => part !== '').join(', ')}</small>
            </td>
            <td>
              {location.phone}
              <CallButton number={location.phone} />
            </td>
            {isOwner && (
              <td>
                <Actions>
                  <Button size="compact-sm" variant="default" onClick={() => setOpen({ kind: 'edit', location })}>
                    {t('portal.edit')}
                  </Button>
                  <Button size="compact-sm" variant="default" onClick={() => setOpen({ kind: 'delete', location })}>
                    {t('portal.delete')}
                  </Button>
                </Actions>
              </td>
            )}
          </tr>
        ))}
      </DataTable>
      {(open?.kind === 'add' || open?.kind === 'edit') && (
        <LocationDialog
          location={open.kind === 'edit' ? open.location : undefined}
          onClose={close}
          onSaved={async () => {
            close();
            await locations.reload();
          }}
        />
      )}
      {open?.kind === 'delete' && (
        <Confirm
          title={t('portal.deleteLocation', { name: open.location.name })}
          action={t('portal.delete')}
          onClose={close}
          onConfirm={async () => {
            await api.remove(`/company/locations/${open.location.id}`);
            await locations.reload();
          }}
        >
          <p>{t('portal.deleteLocationHint')}</p>
        </Confirm>
      )}
    </>
  );
}

const FIELDS = ['name', 'address2', 'zip', 'city', 'state', 'country', 'phone', 'email', 'callerid'] as const;
type Values = Record<(typeof FIELDS)[number], string>;

const NOWHERE = Object.fromEntries(FIELDS.map((field) => [field, ''])) as Values;
const valuesOf = (location: Values): Values =>
  Object.fromEntries(FIELDS.map((field) => [field, location[field]])) as Values;

interface LocationDialogProps {
  readonly location: Location | undefined;
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
}

function LocationDialog({ location, onSaved, onClose }: LocationDialogProps) {
  const form = useForm(valuesOf(location ?? NOWHERE));
  const save = form.submit(async (values) => {
    if (location) await api.patch(`/company/locations/${location.id}`, values);
    else await api.post('/company/locations', values);
    toast(t('settings.saved'));
    await onSaved();
  });
  return (
    <Dialog opened onClose={onClose} title={t(location ? 'portal.editLocation' : 'portal.addLocation')}>
      <form className={classes.form} onSubmit={save} noValidate>
        <TextInput label={t('portal.name')} data-autofocus {...form.input('name')} />
        <TextInput label={t('portal.street')} {...form.input('address2')} />
        <div className={classes.pair}>
          <TextInput label={t('portal.zip')} {...form.input('zip')} />
          <TextInput label={t('portal.city')} {...form.input('city')} />
          <TextInput label={t('portal.state')} {...form.input('state')} />
          <TextInput label={t('portal.country')} {...form.input('country')} />
          <TextInput label={t('portal.phone')} {...form.input('phone')} />
          <TextInput label={t('portal.email')} {...form.input('email')} />
        </div>
        <TextInput label={t('portal.callerid')} description={t('portal.calleridHint')} {...form.input('callerid')} />
        <FormError text={form.error} />
        <div className={classes.actions}>
          <Button type="submit" loading={form.isBusy}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
