/** Changes what a tenant may have at most. */
import { Button, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { toast } from '../../shared/ui/toasts';
import { ops } from '../data/api';
import { pathOf, wordFor, type TenantRow } from './wire';
import classes from '../shell/parts.module.css';

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

function LimitsForm({ tenant, onDone }: { tenant: TenantRow; onDone: () => void }) {
  const [fields, setFields] = useState(() =>
    Object.fromEntries(Object.entries(tenant.limits).map(([name, most]) => [name, most === null ? '' : String(most)])),
  );
  const [error, setError] = useState('');
  const save = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    const limits = Object.fromEntries(
      Object.entries(fields).map(([name, text]) => [name, text.trim() === '' ? null : Number(text)]),
    );
    try {
      await ops.patch(pathOf(tenant), { limits });
      toast(t('ops.done'));
      onDone();
    } catch (caught) {
      setError(messageOf(caught));
    }
  };
  return (
    <form className={classes.stack} onSubmit={(event) => void save(event)}>
      {Object.entries(fields).map(([name, text]) => (
        <TextInput
          key={name}
          label={wordFor(name)}
          description={t('tenant.limitHint')}
          inputMode="numeric"
          pattern="[0-9]*"
          value={text}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setFields((before) => ({ ...before, [name]: value }));
          }}
        />
      ))}
      {error !== '' && <p role="alert">{error}</p>}
      <Button type="submit">{t('action.save')}</Button>
    </form>
  );
}
