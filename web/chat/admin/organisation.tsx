/** The organisation's name and permissions. */
import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { api } from '../../shared/http/request';
import { t, type TextKey } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { useSetting } from '../data/store';
import { Section } from '../../shared/forms/section';
import { MailRules } from './mail-rules';
import { OrganisationPicture } from './organisation-picture';
import { Rule } from './rule';
import { VideoCalls } from './video-calls';
import { useWork } from '../settings/use-work';
import forms from '../../shared/forms/form.module.css';
import classes from '../settings/settings.module.css';

const SWITCHES: readonly (readonly [string, TextKey])[] = [
  ['allow_message_editing', 'organisation.editing'],
  ['allow_edit_history', 'organisation.history'],
  ['allow_message_deleting', 'organisation.deleting'],
  ['allow_community_topic_editing', 'organisation.topics'],
  ['mandatory_topics', 'organisation.mandatory'],
  ['add_emoji_by_admins_only', 'organisation.emoji'],
  ['name_changes_disabled', 'organisation.names'],
  ['inline_image_preview', 'organisation.images'],
  ['message_content_allowed_in_push_notifications', 'organisation.pushContent'],
];

const POLICIES: readonly (readonly [string, TextKey])[] = [
  ['create_stream_policy', 'organisation.streams'],
  ['invite_to_stream_policy', 'organisation.subscribing'],
  ['invite_to_realm_policy', 'organisation.invites'],
  ['user_group_edit_policy', 'organisation.groups'],
];

/** By the numbers of the API. */
const CHOICES: readonly (readonly [string, TextKey])[] = [
  ['1', 'organisation.members'],
  ['3', 'organisation.fullMembers'],
  ['4', 'organisation.moderators'],
  ['2', 'organisation.admins'],
];

export function Organisation() {
  return (
    <>
      <OrganisationPicture />
      <Names />
      <Section title={t('organisation.rules')}>
        <div className={classes.checks}>
          {SWITCHES.map(([name, text]) => (
            <Rule key={name} name={name} text={text} />
          ))}
        </div>
      </Section>
      <Section>
        <div className={forms.form}>
          {POLICIES.map(([name, text]) => (
            <Policy key={name} name={name} text={text} />
          ))}
        </div>
      </Section>
      <MailRules />
      <VideoCalls />
      <WelcomeText />
      <Retention />
    </>
  );
}

function Names() {
  const knownName = useSetting('realm_name', '');
  const knownDescription = useSetting('realm_description', '');
  const [name, setName] = useState(knownName);
  const [description, setDescription] = useState(knownDescription);
  const { isBusy, run } = useWork();
  const save = (event: SyntheticEvent): void => {
    event.preventDefault();
    void run(() =>
      api.patch('/realm', { name: JSON.stringify(name.trim()), description: JSON.stringify(description) }),
    );
  };
  return (
    <Section>
      <form className={forms.form} onSubmit={save}>
        <TextInput
          label={t('organisation.name')}
          value={name}
          maxLength={40}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label={t('organisation.description')}
          value={description}
          maxLength={1000}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Button
          type="submit"
          loading={isBusy}
          disabled={name.trim() === '' || (name === knownName && description === knownDescription)}
        >
          {t('action.save')}
        </Button>
      </form>
    </Section>
  );
}

/** What new people read first. */
function WelcomeText() {
  const known = useSetting('realm_welcome_message_custom_text', '');
  const [text, setText] = useState(known);
  const { isBusy, run } = useWork();
  const save = (event: SyntheticEvent): void => {
    event.preventDefault();
    void run(() => api.patch('/realm', { welcome_message_custom_text: JSON.stringify(text) }));
  };
  return (
    <Section title={t('organisation.welcome')} hint={t('organisation.welcomeHint')}>
      <form className={forms.form} onSubmit={save}>
        <Textarea
          aria-label={t('organisation.welcome')}
          value={text}
          maxLength={8000}
          autosize
          minRows={3}
          maxRows={12}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" loading={isBusy} disabled={text === known}>
          {t('action.save')}
        </Button>
      </form>
    </Section>
  );
}

/** How long messages are kept; empty means for ever. */
function Retention() {
  const known = useSetting<number | null>('realm_message_retention_days', null);
  const [days, setDays] = useState(String(known ?? ''));
  const { isBusy, run } = useWork();
  const save = (event: SyntheticEvent): void => {
    event.preventDefault();
    void run(() => api.patch('/realm', { message_retention_days: days === '' ? 'null' : days }));
  };
  return (
    <Section title={t('organisation.retention')}>
      <form className={forms.form} onSubmit={save}>
        <TextInput
          label={t('organisation.retentionDays')}
          description={t('organisation.retentionHint')}
          inputMode="numeric"
          pattern="[1-9][0-9]{0,4}"
          value={days}
          onChange={(event) => setDays(event.currentTarget.value.trim())}
        />
        <Button type="submit" loading={isBusy} disabled={days === String(known ?? '')}>
          {t('action.save')}
        </Button>
      </form>
    </Section>
  );
}

function Policy({ name, text }: { name: string; text: TextKey }) {
  const value = useSetting(`realm_${name}`, 1);
  const choices = name === 'invite_to_realm_policy' ? [...CHOICES, ['6', 'organisation.nobody'] as const] : CHOICES;
  return (
    <Select
      label={t(text)}
      data={choices.map(([number, choice]) => ({ value: number, label: t(choice) }))}
      value={String(value)}
      allowDeselect={false}
      onChange={(chosen) => tell(api.patch('/realm', { [name]: Number(chosen) }))}
    />
  );
}
