/** The user's name, avatar and profile fields. */
import { Button, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { api, request } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { Avatar } from '../../shared/ui/avatar';
import { useChat, useSetting } from '../data/store';
import { PictureButton } from './picture-button';
import { Section } from '../../shared/forms/section';
import { useWork } from './use-work';
import forms from '../../shared/forms/form.module.css';

export function Profile() {
  const me = useChat((state) => state.people.get(state.ownId))!;
  const [name, setName] = useState(me.full_name);
  const isFixed = useSetting('realm_name_changes_disabled', false);
  const { isBusy, run } = useWork();
  const save = (event: SyntheticEvent): void => {
    event.preventDefault();
    void run(() => api.patch('/settings', { full_name: name.trim() }));
  };
  return (
    <>
      <Section>
        <Picture />
      </Section>
      <Section>
        <form className={forms.form} onSubmit={save}>
          <TextInput
            label={t('profile.name')}
            value={name}
            disabled={isFixed}
            maxLength={100}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" loading={isBusy} disabled={name.trim() === '' || name.trim() === me.full_name}>
            {t('action.save')}
          </Button>
        </form>
      </Section>
      <OwnFields />
    </>
  );
}

function Picture() {
  const me = useChat((state) => state.people.get(state.ownId))!;
  const { isBusy, run } = useWork();
  const upload = (file: File): void => void run(() => request('POST', '/api/v1/users/me/avatar', { file }));
  return (
    <div className={forms.actions}>
      <Avatar name={me.full_name} id={me.user_id} url={me.avatar_url} size={72} />
      <PictureButton loading={isBusy} onPick={upload}>
        {t('profile.picture')}
      </PictureButton>
      {me.avatar_url !== null && (
        <Button variant="subtle" onClick={() => void run(() => api.remove('/users/me/avatar'))}>
          {t('profile.noPicture')}
        </Button>
      )}
    </div>
  );
}

interface Field {
  readonly id: number;
  readonly name: string;
  readonly hint: string;
  readonly type: number;
}

/** Field types that a text input can edit: short and long text, dates, links, external accounts. */
const TEXTUAL = [1, 2, 4, 5, 7];
const DATE = 4;

function OwnFields() {
  const fields = useSetting<readonly Field[]>('custom_profile_fields', []).filter(({ type }) => TEXTUAL.includes(type));
  const data = useChat((state) => state.people.get(state.ownId)?.profile_data);
  const [values, setValues] = useState<Readonly<Record<number, string>>>({});
  const { isBusy, run } = useWork();
  if (fields.length === 0) return null;
  const save = (event: SyntheticEvent): void => {
    event.preventDefault();
    const changed = Object.entries(values).map(([id, value]) => ({ id: Number(id), value }));
    void run(async () => {
      const filled = changed.filter(({ value }) => value !== '');
      const emptied = changed.filter(({ value }) => value === '').map(({ id }) => id);
      if (filled.length > 0) await api.patch('/users/me/profile_data', { data: filled });
      if (emptied.length > 0) await api.remove('/users/me/profile_data', { data: emptied });
      setValues({});
    });
  };
  return (
    <Section title={t('profile.fields')}>
      <form className={forms.form} onSubmit={save}>
        {fields.map(({ id, name, hint, type }) => (
          <TextInput
            key={id}
            label={name}
            description={hint}
            type={type === DATE ? 'date' : 'text'}
            value={values[id] ?? data?.[id]?.value ?? ''}
            onChange={(event) => {
              const { value } = event.currentTarget;
              setValues((before) => ({ ...before, [id]: value }));
            }}
          />
        ))}
        <Button type="submit" loading={isBusy} disabled={Object.keys(values).length === 0}>
          {t('action.save')}
        </Button>
      </form>
    </Section>
  );
}
