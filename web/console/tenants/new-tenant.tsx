/** Adds an organisation or a company. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { ops } from '../data/api';
import { wordFor, type Kind } from './wire';
import classes from '../shell/parts.module.css';

export function NewTenant({ kinds, after }: { kinds: readonly Kind[]; after: () => void }) {
  const [kind, setKind] = useState(kinds[0]?.kind ?? '');
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  const [error, setError] = useState('');
  const [key, setKey] = useState('');
  const asked = ['name', ...(kinds.find((each) => each.kind === kind)?.fields ?? [])];
  const add = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    setError('');
    setKey('');
    const draft = Object.fromEntries(asked.map((name) => [name, fields[name] ?? '']));
    try {
      const added = await ops.post<{ key: string | null }>(`/tenants/${encodeURIComponent(kind)}`, draft);
      toast(t('tenant.added'));
      setFields({});
      setKey(added.key ?? '');
      after();
    } catch (caught) {
      setError(messageOf(caught));
    }
  };
  return (
    <section aria-label={t('tenant.add')}>
      <h2>{t('tenant.add')}</h2>
      <form className={classes.search} onSubmit={(event) => void add(event)}>
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
            value={fields[name] ?? ''}
            onChange={(event) => {
              const { value } = event.currentTarget;
              setFields((before) => ({ ...before, [name]: value }));
            }}
          />
        ))}
        <Button type="submit">{t('action.add')}</Button>
      </form>
      {error !== '' && <p role="alert">{error}</p>}
      {key !== '' && (
        <p role="status">
          {t('tenant.key')} <code>{key}</code>
        </p>
      )}
    </section>
  );
}
