/** The company's webhooks and their recent deliveries. */
import { Button, Checkbox, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Actions } from '../../shared/tables/table';
import { t } from '../../shared/texts/texts';
import { Note } from '../../shared/ui/note';
import { tell } from '../../shared/ui/toasts';
import { Confirm, Secret } from '../../shared/forms/parts';
import { FormError, Section } from '../../shared/forms/section';
import { useForm } from '../../shared/forms/use-form';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { Deliveries } from './deliveries';
import classes from '../../shared/forms/form.module.css';
import table from '../../shared/tables/table.module.css';

const EVENTS = [
  'texting.message.new',
  'texting.message.delete',
  'texting.message.markAsRead',
  'texting.chat.new',
  'texting.chat.delete',
  'user_status_updated',
  'ring_group.updated',
  'ring_group.deleted',
  'number.updated',
  'number.deleted',
  'extension.forwards.updated',
  'call.started',
  'call.answered',
  'call.ended',
  'extension.registered',
  'extension.unregistered',
] as const;

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly active: boolean;
}

const PATH = '/portal/api/webhooks';

export function Webhooks() {
  const webhooks = useLoaded('webhooks', () => api.get<readonly Webhook[]>(PATH));
  const [secret, setSecret] = useState('');
  const [shown, setShown] = useState('');
  const [deleted, setDeleted] = useState<Webhook>();
  const change = async (work: Promise<unknown>): Promise<void> => {
    await work;
    await webhooks.reload();
  };
  return (
    <>
      <Section title={t('portal.newWebhook')} hint={t('portal.webhooksHint')}>
        <NewWebhook
          onMade={async (made) => {
            setSecret(made);
            await webhooks.reload();
          }}
        />
        {secret !== '' && (
          <Note role="status">
            <Secret label={t('portal.webhookSecret')} text={secret} />
          </Note>
        )}
      </Section>
      <FormError text={webhooks.error} />
      {webhooks.value?.length === 0 && <p>{t('portal.noWebhooks')}</p>}
      <ul className={table.cards} aria-busy={webhooks.isLoading}>
        {webhooks.value?.map((webhook) => (
          <li key={webhook.id}>
            <b>{webhook.url}</b>
            <small>{webhook.events.length === 0 ? t('portal.allEvents') : webhook.events.join(', ')}</small>
            <Actions>
              <Switch
                label={t('portal.webhookActive')}
                checked={webhook.active}
                onChange={(event) =>
                  tell(change(api.patch(`${PATH}/${webhook.id}`, { active: event.currentTarget.checked })))
                }
              />
              <Button
                size="compact-sm"
                variant="default"
                aria-expanded={shown === webhook.id}
                onClick={() => setShown(shown === webhook.id ? '' : webhook.id)}
              >
                {t('portal.deliveries')}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => setDeleted(webhook)}>
                {t('portal.delete')}
              </Button>
            </Actions>
            {shown === webhook.id && <Deliveries path={`${PATH}/${webhook.id}`} />}
          </li>
        ))}
      </ul>
      {deleted && (
        <Confirm
          title={t('portal.deleteWebhook')}
          action={t('portal.delete')}
          onClose={() => setDeleted(undefined)}
          onConfirm={() => change(api.remove(`${PATH}/${deleted.id}`))}
        >
          <p>{t('portal.deleteWebhookHint', { url: deleted.url })}</p>
        </Confirm>
      )}
    </>
  );
}

function NewWebhook({ onMade }: { onMade: (secret: string) => Promise<void> }) {
  const form = useForm({ url: '' });
  const [events, setEvents] = useState<readonly string[]>([]);
  const make = form.submit(async ({ url }) => {
    const { secret } = await api.post<{ secret: string }>(PATH, { url, events });
    form.reset({ url: '' });
    setEvents([]);
    await onMade(secret);
  });
  return (
    <form className={classes.form} onSubmit={make} noValidate>
      <TextInput
        label={t('portal.webhookUrl')}
        type="url"
        placeholder="https://example.com/events"
        {...form.input('url')}
      />
      <Checkbox.Group label={t('portal.webhookEvents')} value={[...events]} onChange={setEvents}>
        <div className={classes.pair}>
          {EVENTS.map((name) => (
            <Checkbox key={name} value={name} label={name} />
          ))}
        </div>
      </Checkbox.Group>
      <FormError text={form.error} />
      <div>
        <Button type="submit" loading={form.isBusy}>
          {t('portal.addWebhook')}
        </Button>
      </div>
    </form>
  );
}
