/** The company's API keys with name, rights, last use and expiry. A key is shown only when it is created. */
import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ago } from '../../shared/texts/dates';
import { DataTable } from '../../shared/tables/table';
import { t, useLanguage } from '../../shared/texts/texts';
import { Note } from '../../shared/ui/note';
import { Confirm, Secret } from '../../shared/forms/parts';
import { FormError, Section } from '../../shared/forms/section';
import { useForm } from '../../shared/forms/use-form';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import classes from '../../shared/forms/form.module.css';

const RIGHTS = ['write', 'read', 'texting'] as const;

interface Key {
  readonly id: string;
  readonly name: string;
  readonly rights: (typeof RIGHTS)[number];
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly ends_at: string | null;
}

const PATH = '/portal/api/keys';
const dayOf = (moment: string): string => new Date(moment).toLocaleDateString(useLanguage.getState().locale);

export function Keys() {
  const keys = useLoaded('keys', () => api.get<readonly Key[]>(PATH));
  const [shown, setShown] = useState('');
  const [deleted, setDeleted] = useState<Key>();
  return (
    <>
      <Section title={t('portal.newKey')} hint={t('portal.keysHint')}>
        <NewKey
          onMade={async (key) => {
            setShown(key);
            await keys.reload();
          }}
        />
        {shown !== '' && (
          <Note role="status">
            <Secret label={t('portal.keyOnce')} text={shown} />
          </Note>
        )}
      </Section>
      <FormError text={keys.error} />
      <DataTable
        label={t('portal.keys')}
        heads={[t('portal.name'), t('portal.rights'), t('portal.lastUse'), t('portal.ends'), t('portal.actions')]}
        isLoading={keys.isLoading}
      >
        {keys.value?.map((key) => (
          <tr key={key.id}>
            <td>
              {key.name || t('portal.firstKey')}
              <small>{dayOf(key.created_at)}</small>
            </td>
            <td>{t(`portal.right.${key.rights}`)}</td>
            <td>{key.last_used_at === null ? t('portal.never') : ago(Date.parse(key.last_used_at) / 1000)}</td>
            <td>{key.ends_at === null ? t('portal.never') : dayOf(key.ends_at)}</td>
            <td>
              <Button size="compact-sm" variant="default" onClick={() => setDeleted(key)}>
                {t('portal.delete')}
              </Button>
            </td>
          </tr>
        ))}
      </DataTable>
      {deleted && (
        <Confirm
          title={t('portal.deleteKey', { name: deleted.name || t('portal.firstKey') })}
          action={t('portal.delete')}
          onClose={() => setDeleted(undefined)}
          onConfirm={async () => {
            await api.remove(`${PATH}/${deleted.id}`);
            await keys.reload();
          }}
        >
          <p>{t('portal.deleteKeyHint')}</p>
        </Confirm>
      )}
    </>
  );
}

function NewKey({ onMade }: { onMade: (key: string) => Promise<void> }) {
  const form = useForm({ name: '', rights: 'write', ends_at: '' });
  const make = form.submit(async (values) => {
    const { key } = await api.post<{ key: string }>(PATH, values);
    form.reset({ name: '', rights: 'write', ends_at: '' });
    await onMade(key);
  });
  return (
    <form className={classes.form} onSubmit={make}>
      <div className={classes.pair}>
        <TextInput label={t('portal.keyName')} {...form.input('name')} />
        <Select
          label={t('portal.rights')}
          data={RIGHTS.map((value) => ({ value, label: t(`portal.right.${value}`) }))}
          value={form.values.rights}
          allowDeselect={false}
          onChange={(value) => form.set('rights', value ?? 'write')}
        />
        <TextInput label={t('portal.endsOn')} type="date" {...form.input('ends_at')} />
      </div>
      <FormError text={form.error} />
      <div>
        <Button type="submit" loading={form.isBusy}>
          {t('portal.makeKey')}
        </Button>
      </div>
    </form>
  );
}
