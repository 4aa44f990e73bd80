/** The company's webhooks and their recent deliveries. */
import { Button, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Actions } from '../../shared/tables/table';
import { t, useLanguage } from '../../shared/texts/texts';
import { Note } from '../../shared/ui/note';
import { tell } from '../../shared/ui/toasts';
import { Confirm, Secret } from '../../shared/forms/parts';
import { FormError, Section } from '../../shared/forms/section';
import { useForm } from '../../shared/forms/use-form';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { Deliveries } from './deliveries';
import { EventChoice } from './event-choice';
import { EditWebhook, RotateSecret } from './webhook-dialogs';
import classes from '../../shared/forms/form.module.css';
import table from '../../shared/tables/table.module.css';

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly active: boolean;
  readonly previous_secret_ends_at: string | null;
}

const PATH = '/portal/api/webhooks';

export function Webhooks() {
  const webhooks = useLoaded('webhooks', () => api.get<readonly Webhook[]>(PATH));
  const [secret, setSecret] = useState('');
  const [shown, setShown] = useState('');
  const [open, setOpen] = useState<{ webhook: Webhook; dialog: 'delete' | 'edit' | 'rotate' }>();
  const close = (): void => setOpen(undefined);
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
            <Overlap endsAt={webhook.previous_secret_ends_at} />
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
              {(['edit', 'rotate', 'delete'] as const).map((dialog) => (
                <Button key={dialog} size="compact-sm" variant="default" onClick={() => setOpen({ webhook, dialog })}>
                  {t(OPENS[dialog])}
                </Button>
              ))}
            </Actions>
            {shown === webhook.id && <Deliveries path={`${PATH}/${webhook.id}`} />}
          </li>
        ))}
      </ul>
      {open?.dialog === 'edit' && (
        <EditWebhook
          path={`${PATH}/${open.webhook.id}`}
          webhook={open.webhook}
          onDone={webhooks.reload}
          onClose={close}
        />
      )}
      {open?.dialog === 'rotate' && (
        <RotateSecret
          path={`${PATH}/${open.webhook.id}`}
          webhook={open.webhook}
          onDone={webhooks.reload}
          onClose={close}
        />
      )}
      {open?.dialog === 'delete' && (
        <Confirm
          title={t('portal.deleteWebhook')}
          action={t('portal.delete')}
          onClose={close}
          onConfirm={() => change(api.remove(`${PATH}/${open.webhook.id}`))}
        >
          <p>{t('portal.deleteWebhookHint', { url: open.webhook.url })}</p>
        </Confirm>
      )}
    </>
  );
}

const OPENS = { edit: 'portal.edit', rotate: 'portal.rotateSecret', delete: 'portal.delete' } as const;

/** Until when receivers may still check with the secret that was replaced. */
function Overlap({ endsAt }: { endsAt: string | null }) {
  if (endsAt === null || Date.parse(endsAt) < Date.now()) return null;
  const when = new Date(endsAt).toLocaleString(useLanguage.getState().locale);
  return <small>{t('portal.previousSecret', { when })}</small>;
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
      <EventChoice events={events} onChange={setEvents} />
      <FormError text={form.error} />
      <div>
        <Button type="submit" loading={form.isBusy}>
          {t('portal.addWebhook')}
        </Button>
      </div>
    </form>
  );
}
