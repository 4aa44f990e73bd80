/** Adds or changes a user. */
import { Button, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { toast } from '../../shared/ui/toasts';
import { FormError } from '../../shared/forms/section';
import { useForm } from '../../shared/forms/use-form';
import { api } from '../http/api';
import { useSignedIn } from '../session/session';
import type { Contact } from '../wire';
import classes from '../../shared/forms/form.module.css';

interface PersonDialogProps {
  readonly contact?: Contact;
  readonly onSaved: (contact: Contact) => Promise<void>;
  readonly onClose: () => void;
}

const NOBODY = {
  first_name: '',
  last_name: '',
  work_email: '',
  title: '',
  timezone: '',
  emergency_contact_number: '',
  'contacts.phones.work': '',
  'contacts.phones.mobile': '',
};

const valuesOf = (contact: Contact): typeof NOBODY => ({
  first_name: contact.first_name,
  last_name: contact.last_name,
  work_email: contact.work_email,
  title: contact.title,
  timezone: contact.timezone,
  emergency_contact_number: contact.emergency_contact_number,
  'contacts.phones.work': contact.contacts.phones.work,
  'contacts.phones.mobile': contact.contacts.phones.mobile,
});

export function PersonDialog({ contact, onSaved, onClose }: PersonDialogProps) {
  const { is_owner: isOwner } = useSignedIn();
  const [isActivated, setActivated] = useState(contact?.activated ?? true);
  const form = useForm(contact ? valuesOf(contact) : NOBODY);
  const mayDisable = isOwner && contact?.is_primary !== true;
  const save = form.submit(async (values) => {
    const { 'contacts.phones.work': work, 'contacts.phones.mobile': mobile, ...rest } = values;
    const body = { ...rest, ...(mayDisable && { activated: isActivated }), contacts: { phones: { work, mobile } } };
    const saved = contact
      ? await api.patch<Contact>(`/company/contacts/${contact.id}`, body)
      : await api.post<Contact>('/company/contacts', body);
    toast(t('settings.saved'));
    await onSaved(saved);
  });
  return (
    <Dialog opened onClose={onClose} title={t(contact ? 'portal.editPerson' : 'portal.addPerson')}>
      <form className={classes.form} onSubmit={save} noValidate>
        <div className={classes.pair}>
          <TextInput label={t('portal.firstName')} data-autofocus {...form.input('first_name')} />
          <TextInput label={t('portal.lastName')} {...form.input('last_name')} />
        </div>
        <TextInput label={t('portal.email')} type="email" {...form.input('work_email')} />
        <div className={classes.pair}>
          <TextInput label={t('portal.jobTitle')} {...form.input('title')} />
          <TextInput label={t('portal.timezone')} placeholder="Europe/Berlin" {...form.input('timezone')} />
          <TextInput label={t('portal.workPhone')} {...form.input('contacts.phones.work')} />
          <TextInput label={t('portal.mobilePhone')} {...form.input('contacts.phones.mobile')} />
        </div>
        <TextInput label={t('portal.emergency')} {...form.input('emergency_contact_number')} />
        {mayDisable && (
          <Switch
            label={t('portal.activated')}
            checked={isActivated}
            onChange={(event) => setActivated(event.currentTarget.checked)}
          />
        )}
        <FormError text={form.error} />
        <div className={classes.actions}>
          <Button type="submit" loading={form.isBusy}>
            {t(contact ? 'action.save' : 'portal.addPerson')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
