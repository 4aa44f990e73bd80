/** The company's details. */
import { Button, Textarea, TextInput } from '@mantine/core';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { FormError, Section } from '../../shared/forms/section';
import { useForm } from '../../shared/forms/use-form';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { loadSession, useSignedIn } from '../session/session';
import type { Company as CompanyObject } from '../wire';
import { PushContent } from './push-content';
import classes from '../../shared/forms/form.module.css';

export function Company() {
  const { value, error, reload } = useLoaded('company', () => api.get<CompanyObject>('/system/company'));
  if (!value) return error === '' ? <div aria-busy="true" /> : <FormError text={error} />;
  return (
    <>
      <Section>
        <CompanyForm company={value} onSaved={reload} />
      </Section>
      <PushContent />
    </>
  );
}

function CompanyForm({ company, onSaved }: { company: CompanyObject; onSaved: () => Promise<void> }) {
  const { is_owner: isOwner } = useSignedIn();
  const { name, email, billing_email, phone, fax, website, description, emergency_contact_number, address } = company;
  const form = useForm({
    name,
    email,
    billing_email,
    phone,
    fax,
    website,
    description,
    emergency_contact_number,
    'address.address2': address.address2,
    'address.zip': address.zip,
    'address.city': address.city,
    'address.state': address.state,
    'address.country': address.country,
  });
  const save = form.submit(async (values) => {
    const plain = Object.entries(values).filter(([key]) => !key.startsWith('address.'));
    const placed = Object.entries(values).filter(([key]) => key.startsWith('address.'));
    const place = Object.fromEntries(placed.map(([key, value]) => [key.slice('address.'.length), value]));
    await api.patch('/company', { ...Object.fromEntries(plain), address: place });
    toast(t('settings.saved'));
    // The session too, because the page shows the company's name.
    await Promise.all([onSaved(), loadSession()]);
  });
  return (
    <>
      {!isOwner && <p role="note">{t('portal.companyOwners')}</p>}
      <form className={classes.form} onSubmit={save}>
        <fieldset disabled={!isOwner} className={classes.fieldset}>
          <TextInput label={t('portal.name')} {...form.input('name')} />
          <div className={classes.pair}>
            <TextInput label={t('portal.email')} {...form.input('email')} />
            <TextInput label={t('portal.billingEmail')} {...form.input('billing_email')} />
            <TextInput label={t('portal.phone')} {...form.input('phone')} />
            <TextInput label={t('portal.fax')} {...form.input('fax')} />
          </div>
          <TextInput
            label={t('portal.emergency')}
            description={t('portal.emergencyHint')}
            {...form.input('emergency_contact_number')}
          />
          <TextInput label={t('portal.website')} {...form.input('website')} />
          <TextInput label={t('portal.street')} {...form.input('address.address2')} />
          <div className={classes.pair}>
            <TextInput label={t('portal.zip')} {...form.input('address.zip')} />
            <TextInput label={t('portal.city')} {...form.input('address.city')} />
            <TextInput label={t('portal.state')} {...form.input('address.state')} />
            <TextInput label={t('portal.country')} {...form.input('address.country')} />
          </div>
          <Textarea label={t('portal.description')} rows={3} {...form.input('description')} />
          <FormError text={form.error} />
          {isOwner && (
            <div>
              <Button type="submit" loading={form.isBusy}>
                {t('action.save')}
              </Button>
            </div>
          )}
        </fieldset>
      </form>
    </>
  );
}
