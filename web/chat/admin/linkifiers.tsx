/** Linkifiers: patterns that become links, such as issue numbers. */
import { Button, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { api } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { useChat } from '../data/store';
import { Section } from '../../shared/forms/section';
import { useWork } from '../settings/use-work';
import forms from '../../shared/forms/form.module.css';
import classes from '../settings/settings.module.css';

export function Linkifiers() {
  const linkifiers = useChat((state) => state.linkifiers);
  const [pattern, setPattern] = useState('');
  const [url, setUrl] = useState('');
  const { isBusy, run } = useWork();
  const add = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    if (!(await run(() => api.post('/realm/filters', { pattern, url_format_string: url })))) return;
    setPattern('');
    setUrl('');
  };
  return (
    <Section hint={t('linkifiers.hint')}>
      <ul className={classes.list}>
        {linkifiers.map(([text, target, id]) => (
          <li key={id}>
            <span className={classes.grow}>
              <code>{text}</code>
              <small>{target}</small>
            </span>
            <Button size="compact-sm" variant="default" onClick={() => tell(api.remove(`/realm/filters/${id}`))}>
              {t('action.remove')}
            </Button>
          </li>
        ))}
      </ul>
      <form className={forms.form} onSubmit={(event) => void add(event)}>
        <TextInput
          label={t('linkifiers.pattern')}
          placeholder="#(?P<id>[0-9]+)"
          value={pattern}
          onChange={(event) => setPattern(event.currentTarget.value)}
        />
        <TextInput
          label={t('linkifiers.url')}
          placeholder="https://tracker.example/issues/%(id)s"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Button type="submit" loading={isBusy} disabled={pattern === '' || url === ''}>
          {t('action.add')}
        </Button>
      </form>
    </Section>
  );
}
