/** The words that count as a mention of oneself. */
import { Button, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { Section } from '../../shared/forms/section';
import { api } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { useSetting } from '../data/store';
import { useWork } from './use-work';
import forms from '../../shared/forms/form.module.css';
import classes from './settings.module.css';

export function AlertWords() {
  const words = useSetting<readonly string[]>('alert_words', []);
  const [word, setWord] = useState('');
  const { isBusy, run } = useWork();
  const add = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    if (await run(() => api.post('/users/me/alert_words', { alert_words: [word.trim()] }))) setWord('');
  };
  return (
    <Section hint={t('alertWords.hint')}>
      <form className={forms.form} onSubmit={(event) => void add(event)}>
        <TextInput
          label={t('alertWords.word')}
          value={word}
          maxLength={100}
          onChange={(event) => setWord(event.currentTarget.value)}
        />
        <Button type="submit" loading={isBusy} disabled={word.trim() === ''}>
          {t('alertWords.add')}
        </Button>
      </form>
      <ul className={classes.list} aria-label={t('alertWords.title')}>
        {words.map((each) => (
          <li key={each}>
            <span className={classes.grow}>{each}</span>
            <Button
              size="compact-sm"
              variant="default"
              disabled={isBusy}
              aria-label={t('alertWords.remove', { word: each })}
              onClick={() => void run(() => api.remove('/users/me/alert_words', { alert_words: [each] }))}
            >
              {t('groups.remove.member')}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
