/** Adds an organisation or a company. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useForm, type Values } from '../../shared/forms/use-form';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { ops } from '../data/api';
import { InvitationWords, type Invitation } from './invitation-words';
import { wordFor, type Kind } from './wire';
import classes from '../shell/parts.module.css';

interface Added {
  readonly key: string | null;
  readonly invitation: Invitation | null;
}

export function NewTenant({ kinds, after }: { kinds: readonly Kind[]; after: () => void }) {
  const [kind, setKind] = useState(kinds[0]?.kind ?? '');
  const [added, setAdded] = useState<Added>();
  const names = ['name', ...new Set(kinds.flatMap(({ fields }) => fields))];
  const empty: Values = Object.fromEntries(names.map((name) => [name, '']));
  const form = useForm(empty);
  const asked = ['name', ...(kinds.find((each) => each.kind === kind)?.fields ?? [])];
  const add = async (values: Values): Promise<void> => {
    setAdded(undefined);
    const draft = Object.fromEntries(asked.map((name) => [name, values[name] ?? '']));
    const answer = await ops.post<Added>(`/tenants/${encodeURIComponent(kind)}`, draft);
    toast(t('tenant.added'));
    form.reset(empty);
    setAdded(answer);
    after();
  };
  return (
    <section aria-label={t('tenant.add')}>
      <h2>{t('tenant.add')}</h2>
      <form className={classes.search} onSubmit={form.submit(add)}>
        <NativeSelect
          label={t('tenant.kind')}
          data={kinds.map((each) => ({ value: each.kind, label: wordFor(each.kind) }))}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value)}
        />
        {asked.map((name) => (
          <TextInput
            key={name}
            label={name === 'name' ? t('tenant.name') : wordFor(name)}
            type={name.endsWith('email') ? 'email' : 'text'}
            required={name === 'name' || name.endsWith('email')}
            withAsterisk={false}
            {...form.input(name)}
          />
        ))}
        <Button type="submit" loading={form.isBusy}>
          {t('action.add')}
        </Button>
      </form>
      {form.error !== '' && <p role="alert">{form.error}</p>}
      {added && (
        <div role="status">
          {added.invitation && <InvitationWords {...added.invitation} />}
          {added.key !== null && (
            <p>
              {t('tenant.key')} <code>{added.key}</code>
            </p>
          )}
        </div>
      )}
    </section>
  );
}
