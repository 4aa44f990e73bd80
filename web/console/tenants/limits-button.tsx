/** Changes a tenant's limits. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useForm, type Values } from '../../shared/forms/use-form';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { toast } from '../../shared/ui/toasts';
import { ops } from '../data/api';
import { pathOf, wordFor, type TenantRow } from './wire';
import forms from '../../shared/forms/form.module.css';

export function LimitsButton({ tenant, after }: { tenant: TenantRow; after: () => void }) {
  const [isOpen, setOpen] = useState(false);
  if (Object.keys(tenant.limits).length === 0) return null;
  const finish = (): void => {
    setOpen(false);
    after();
  };
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`${t('tenant.changeLimits')}: ${tenant.name}`}
        onClick={() => setOpen(true)}
      >
        {t('tenant.changeLimits')}
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={t('tenant.limitsOf', { name: tenant.name })}>
        <LimitsForm tenant={tenant} onDone={finish} />
      </Dialog>
    </>
  );
}

/** The API's field names, so that each error is shown beside its field. */
const fieldOf = (name: string): string => `limits.${name}`;

function LimitsForm({ tenant, onDone }: { tenant: TenantRow; onDone: () => void }) {
  const names = Object.keys(tenant.limits);
  const form = useForm<Values>(
    Object.fromEntries(names.map((name) => [fieldOf(name), String(tenant.limits[name] ?? '')])),
  );
  const save = async (values: Values): Promise<void> => {
    const texts = names.map((name) => [name, values[fieldOf(name)]!.trim()] as const);
    const limits = Object.fromEntries(texts.map(([name, text]) => [name, text === '' ? null : Number(text)]));
    await ops.patch(pathOf(tenant), { limits });
    toast(t('ops.done'));
    onDone();
  };
  return (
    <form className={forms.form} onSubmit={form.submit(save)}>
      {names.map((name) => (
        <TextInput
          key={name}
          label={wordFor(name)}
          description={t('tenant.limitHint')}
          inputMode="numeric"
          pattern="[0-9]*"
          {...form.input(fieldOf(name))}
        />
      ))}
      {form.error !== '' && <p role="alert">{form.error}</p>}
      <Button type="submit" loading={form.isBusy}>
        {t('action.save')}
      </Button>
    </form>
  );
}
