/** What the organisation mails to its people. */
import { Select } from '@mantine/core';
import { Section } from '../../shared/forms/section';
import forms from '../../shared/forms/form.module.css';
import { api } from '../../shared/http/request';
import { t, type TextKey, useLanguage } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { useSetting } from '../data/store';
import classes from '../settings/settings.module.css';
import { Rule } from './rule';

const RULES: readonly (readonly [string, TextKey])[] = [
  ['message_content_allowed_in_email_notifications', 'organisation.mailContent'],
  ['digest_emails_enabled', 'organisation.digest'],
];

export function MailRules() {
  const isWeekly = useSetting('realm_digest_emails_enabled', false);
  return (
    <Section title={t('organisation.mail')}>
      <div className={classes.checks}>
        {RULES.map(([name, text]) => (
          <Rule key={name} name={name} text={text} />
        ))}
      </div>
      {isWeekly && <DigestDay />}
    </Section>
  );
}

const A_MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

function DigestDay() {
  const day = useSetting('realm_digest_weekday', 1);
  const { locale } = useLanguage.getState();
  const names = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  const days = Array.from({ length: 7 }, (_, index) => ({
    value: String(index),
    label: names.format(A_MONDAY + index * DAY_MS),
  }));
  return (
    <div className={forms.form}>
      <Select
        label={t('organisation.digestDay')}
        data={days}
        value={String(day)}
        allowDeselect={false}
        onChange={(chosen) => tell(api.patch('/realm', { digest_weekday: Number(chosen) }))}
      />
    </div>
  );
}
