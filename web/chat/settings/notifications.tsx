/** Notification settings. */
import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../shared/http/request';
import { t, type TextKey } from '../../shared/texts/texts';
import { PushSection } from '../../shared/push/push-section';
import { tell } from '../../shared/ui/toasts';
import { useSetting } from '../data/store';
import { pushApi } from '../notices/push-api';
import { Section } from '../../shared/forms/section';
import classes from './settings.module.css';

const CHOICES: readonly (readonly [string, TextKey])[] = [
  ['enable_desktop_notifications', 'notifications.desktop'],
  ['enable_sounds', 'notifications.sound'],
  ['pm_content_in_desktop_notifications', 'notifications.content'],
  ['enable_stream_desktop_notifications', 'notifications.streams'],
  ['wildcard_mentions_notify', 'notifications.wildcard'],
  ['enable_offline_push_notifications', 'notifications.push'],
  ['enable_online_push_notifications', 'notifications.pushAlways'],
  ['enable_stream_push_notifications', 'notifications.pushStreams'],
  ['enable_offline_email_notifications', 'notifications.email'],
  ['message_content_in_email_notifications', 'notifications.emailContent'],
  ['enable_digest_emails', 'notifications.digest'],
];

export function Notifications() {
  return (
    <>
      <Permission />
      <PushSection api={pushApi} />
      <Section>
        <div className={classes.checks}>
          {CHOICES.map(([name, text]) => (
            <Choice key={name} name={name} text={text} />
          ))}
        </div>
      </Section>
    </>
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
