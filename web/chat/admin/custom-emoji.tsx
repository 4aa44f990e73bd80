/** The organisation's custom emoji. */
import { Button, TextInput } from '@mantine/core';
import { useRef, useState, type SyntheticEvent } from 'react';
import { api, request } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { useChat, useIsAdmin, useSetting } from '../data/store';
import { Section } from '../../shared/forms/section';
import { useWork } from '../settings/use-work';
import forms from '../../shared/forms/form.module.css';
import classes from '../settings/settings.module.css';

export function CustomEmojiPage() {
  const emoji = useChat((state) => state.emoji);
  const isAdmin = useIsAdmin();
  const isForAdmins = useSetting('realm_add_emoji_by_admins_only', false);
  const shown = [...emoji.values()].filter(({ deactivated }) => !deactivated);
  return (
    <Section hint={t('customEmoji.hint')}>
      <ul className={classes.list}>
        {shown.map(({ id, name, source_url }) => (
          <li key={id}>
            <img src={source_url} alt="" width={28} height={28} />
            <span className={classes.grow}>:{name}:</span>
            {isAdmin && (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => tell(api.remove(`/realm/emoji/${encodeURIComponent(name)}`))}
              >
                {t('action.remove')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {(isAdmin || !isForAdmins) && <NewEmoji />}
    </Section>
  );
}

function NewEmoji() {
  const [name, setName] = useState('');
  const [file, setFile] = useState<File>();
  const picker = useRef<HTMLInputElement>(null);
  const { isBusy, run } = useWork();
  const add = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    if (!file) return;
    const path = `/api/v1/realm/emoji/${encodeURIComponent(name.trim())}`;
    if (!(await run(() => request('POST', path, { file })))) return;
    setName('');
    setFile(undefined);
  };
  return (
    <form className={forms.form} onSubmit={(event) => void add(event)}>
      <TextInput label={t('customEmoji.name')} value={name} onChange={(event) => setName(event.currentTarget.value)} />
      <input
        ref={picker}
        type="file"
        accept="image/*"
        hidden
        onChange={(event) => setFile(event.currentTarget.files?.[0])}
      />
      <Button type="button" variant="default" onClick={() => picker.current?.click()}>
        {file?.name ?? t('customEmoji.picture')}
      </Button>
      <Button type="submit" loading={isBusy} disabled={!file || !/^[0-9a-z_-]+$/.test(name.trim())}>
        {t('action.add')}
      </Button>
    </form>
  );
}
