/** Notification settings: devices, the table of what is told of, sounds, quiet hours. */
import { Button, NativeSelect, Switch } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../shared/http/request';
import { t, type TextKey } from '../../shared/texts/texts';
import { PushSection } from '../../shared/push/push-section';
import { tell } from '../../shared/ui/toasts';
import { useSetting } from '../data/store';
import { NoticeTable } from '../notices/choices/notice-table';
import { QuietHoursForm } from '../notices/choices/quiet-hours-form';
import { SoundChoice } from '../notices/choices/sound-choice';
import { pushApi } from '../notices/push-api';
import { Section } from '../../shared/forms/section';
import classes from './settings.module.css';

const CHOICES: readonly (readonly [string, TextKey])[] = [
  ['wildcard_mentions_notify', 'notifications.wildcard'],
  ['enable_followed_topic_wildcard_mentions_notify', 'notifications.followedWildcard'],
  ['pm_content_in_desktop_notifications', 'notifications.content'],
  ['enable_online_push_notifications', 'notifications.pushAlways'],
  ['message_content_in_email_notifications', 'notifications.emailContent'],
  ['enable_digest_emails', 'notifications.digest'],
];

/** In the order of their numbers, from 1. */
const COUNTS = ['notifications.countAll', 'notifications.countPersonal', 'notifications.countNone'] as const;

export function Notifications() {
  return (
    <>
      <Permission />
      <PushSection api={pushApi} />
      <NoticeTable />
      <SoundChoice />
      <QuietHoursForm />
      <Section title={t('notifications.more')}>
        <div className={classes.checks}>
          <CountChoice />
          {CHOICES.map(([name, text]) => (
            <Choice key={name} name={name} text={text} />
          ))}
        </div>
      </Section>
    </>
  );
}

function CountChoice() {
  const shown = useSetting('desktop_icon_count_display', 1);
  return (
    <NativeSelect
      className={classes.field}
      label={t('notifications.count')}
      value={String(shown)}
      data={COUNTS.map((key, index) => ({ value: String(index + 1), label: t(key) }))}
      onChange={(event) =>
        tell(api.patch('/settings/notifications', { desktop_icon_count_display: Number(event.currentTarget.value) }))
      }
    />
  );
}

function Choice({ name, text }: { name: string; text: TextKey }) {
  const isOn = useSetting(name, false);
  return (
    <Switch
      label={t(text)}
      checked={isOn}
      onChange={(event) => tell(api.patch('/settings/notifications', { [name]: event.currentTarget.checked }))}
    />
  );
}

/** Browsers allow the permission prompt only after a click. */
function Permission() {
  const [permission, setPermission] = useState('Notification' in window ? Notification.permission : 'denied');
  if (permission === 'granted') return null;
  return (
    <Section hint={t(permission === 'denied' ? 'notifications.denied' : 'notifications.ask')}>
      {permission === 'default' && (
        <Button variant="light" onClick={() => void Notification.requestPermission().then(setPermission)}>
          {t('notifications.allow')}
        </Button>
      )}
    </Section>
  );
}
