/** Changes a webhook's address and events, and replaces its secret. */
import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Secret } from '../../shared/forms/parts';
import { FormError } from '../../shared/forms/section';
import { useForm } from '../../shared/forms/use-form';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { Note } from '../../shared/ui/note';
import { toast } from '../../shared/ui/toasts';
import { api } from '../http/api';
import { EventChoice } from './event-choice';
import classes from '../../shared/forms/form.module.css';

interface WebhookDialogProps {
  readonly path: string;
  readonly webhook: { readonly url: string; readonly events: readonly string[] };
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

export function EditWebhook({ path, webhook, onDone, onClose }: WebhookDialogProps) {
  const form = useForm({ url: webhook.url });
  const [events, setEvents] = useState(webhook.events);
  const save = form.submit(async ({ url }) => {
    await api.patch(path, { url, events });
    toast(t('settings.saved'));
    await onDone();
    onClose();
  });
  return (
    <Dialog opened onClose={onClose} title={t('portal.editWebhook')} size="lg">
      <form className={classes.form} onSubmit={save} noValidate>
        <TextInput
          label={t('portal.webhookUrl')}
          description={t('portal.editWebhookHint')}
          type="url"
          {...form.input('url')}
        />
        <EventChoice events={events} onChange={setEvents} />
        <FormError text={form.error} />
        <div className={classes.actions}>
          <Button type="submit" loading={form.isBusy}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** In hours. */
const OVERLAPS = ['24', '168', '0'] as const;

export function RotateSecret({ path, webhook, onDone, onClose }: WebhookDialogProps) {
  const form = useForm({ overlap_hours: '24' });
  const [secret, setSecret] = useState('');
  const rotate = form.submit(async ({ overlap_hours: hours }) => {
    const made = await api.post<{ secret: string }>(`${path}/secret`, { overlap_hours: Number(hours) });
    setSecret(made.secret);
    await onDone();
  });
  return (
    <Dialog opened onClose={onClose} title={t('portal.rotateSecret')}>
      {secret === '' ? (
        <form className={classes.form} onSubmit={rotate}>
          <p>{t('portal.rotateSecretHint', { url: webhook.url })}</p>
          <Select
            label={t('portal.overlap')}
            data={OVERLAPS.map((value) => ({ value, label: t(`portal.overlap.${value}`) }))}
            allowDeselect={false}
            {...form.choice('overlap_hours')}
          />
          <FormError text={form.error} />
          <div className={classes.actions}>
            <Button type="submit" loading={form.isBusy}>
              {t('portal.rotateSecret')}
            </Button>
          </div>
        </form>
      ) : (
        <Note role="status">
          <Secret label={t('portal.webhookSecret')} text={secret} />
        </Note>
      )}
    </Dialog>
  );
}
