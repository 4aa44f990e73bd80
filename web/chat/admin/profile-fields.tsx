/** The organisation's custom profile fields. */
import { Button, Select, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { api } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { useSetting } from '../data/store';
import { Section } from '../../shared/forms/section';
import { SureButton } from '../settings/sure-button';
import { useWork } from '../settings/use-work';
import forms from '../../shared/forms/form.module.css';
import classes from '../settings/settings.module.css';

interface Field {
  readonly id: number;
  readonly name: string;
  readonly hint: string;
}

/** The field types that need no further options. */
const KINDS = ['1', '2', '4', '5', '6'] as const;

export function ProfileFields() {
  const fields = useSetting<readonly Field[]>('custom_profile_fields', []);
  const [name, setName] = useState('');
  const [hint, setHint] = useState('');
  const [kind, setKind] = useState<string>('1');
  const { isBusy, run } = useWork();
  const add = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    const params = { name: name.trim(), hint: hint.trim(), field_type: Number(kind) };
    if (!(await run(() => api.post('/realm/profile_fields', params)))) return;
    setName('');
    setHint('');
  };
  return (
    <Section hint={t('fields.hint')}>
      <ul className={classes.list}>
        {fields.map((field) => (
          <li key={field.id}>
            <span className={classes.grow}>
              {field.name}
              <small>{field.hint}</small>
            </span>
            <SureButton size="compact-sm" onSure={() => tell(api.remove(`/realm/profile_fields/${field.id}`))}>
              {t('action.remove')}
            </SureButton>
          </li>
        ))}
      </ul>
      <form className={forms.form} onSubmit={(event) => void add(event)}>
        <TextInput
          label={t('fields.name')}
          value={name}
          maxLength={40}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={t('fields.hintLabel')}
          value={hint}
          maxLength={80}
          onChange={(event) => setHint(event.currentTarget.value)}
        />
        <Select
          label={t('fields.kind')}
          data={KINDS.map((value) => ({ value, label: t(`fields.kind${value}`) }))}
          value={kind}
          allowDeselect={false}
          onChange={(value) => setKind(value ?? '1')}
        />
        <Button type="submit" loading={isBusy} disabled={name.trim() === ''}>
          {t('action.add')}
        </Button>
      </form>
    </Section>
  );
}
