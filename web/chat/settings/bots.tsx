/** The user's bots: create, rename, renew keys, download configuration, build webhook URLs. */
import { Button, Select, TextInput } from '@mantine/core';
import { useEffect, useState, type SyntheticEvent } from 'react';
import { api, fetchText, request } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { Avatar } from '../../shared/ui/avatar';
import { copyText } from '../../shared/ui/copy-text';
import { toast } from '../../shared/ui/toasts';
import { byId, useChat, useSetting } from '../data/store';
import type { Bot } from '../data/wire';
import { PictureButton } from './picture-button';
import { Section } from '../../shared/forms/section';
import { SureButton } from './sure-button';
import { useWork } from './use-work';
import { WebhookBuilder } from './webhook-builder';
import forms from '../../shared/forms/form.module.css';
import classes from './settings.module.css';

const GENERIC = 1;
export const INCOMING_WEBHOOK = 2;

export function Bots() {
  const bots = useChat((state) => state.bots);
  /** The bot whose webhook URL is shown. A new bot's opens at once, because that is what it is for. */
  const [open, setOpen] = useState<number>();
  const people = useChat((state) => state.people);
  const ownId = useChat((state) => state.ownId);
  // Administrators hear of the bots of others too.
  const own = [...bots.values()].filter((bot) => bot.is_active && people.get(bot.user_id)?.bot_owner_id === ownId);
  const queueId = useChat((state) => state.queueId);
  useEffect(() => void loadBots().catch(() => undefined), [queueId]);
  return (
    <>
      <Section title={t('bots.new')} hint={t('bots.hint')}>
        <NewBot onCreated={setOpen} />
      </Section>
      <Section title={t('bots.own')}>
        {own.length === 0 && <p className={forms.dim}>{t('bots.none')}</p>}
        <ul className={classes.list}>
          {own.map((bot) => (
            <BotEntry
              key={bot.user_id}
              bot={bot}
              isOpen={bot.user_id === open}
              onToggle={() => setOpen(bot.user_id === open ? undefined : bot.user_id)}
            />
          ))}
        </ul>
      </Section>
    </>
  );
}

async function loadBots(): Promise<void> {
  const answer = await api.get<{ bots: readonly (Omit<Bot, 'email' | 'is_active'> & { username: string })[] }>('/bots');
  const own = answer.bots.map((bot) => ({ ...bot, email: bot.username, is_active: true }));
  useChat.setState(({ bots }) => ({ bots: new Map([...bots, ...byId(own, ({ user_id }) => user_id)]) }));
}

const shortNameOf = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$|-bot$/g, '');

function NewBot({ onCreated }: { onCreated: (webhookBot: number) => void }) {
  const [name, setName] = useState('');
  const [type, setType] = useState<string>(String(INCOMING_WEBHOOK));
  const domain = useSetting('realm_bot_domain', '');
  const { isBusy, run } = useWork();
  const shortName = shortNameOf(name);
  const create = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    const params = { full_name: name.trim(), short_name: shortName, bot_type: Number(type) };
    const post = async (): Promise<void> => {
      const { user_id } = await api.post<{ user_id: number }>('/bots', params);
      if (params.bot_type === INCOMING_WEBHOOK) onCreated(user_id);
    };
    if (await run(post, t('bots.created'))) setName('');
  };
  return (
    <form className={forms.form} onSubmit={(event) => void create(event)}>
      <TextInput
        label={t('bots.name')}
        description={shortName === '' ? undefined : `${shortName}-bot@${domain}`}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label={t('bots.type')}
        data={[
          { value: String(INCOMING_WEBHOOK), label: t('bots.webhook') },
          { value: String(GENERIC), label: t('bots.generic') },
        ]}
        value={type}
        allowDeselect={false}
        onChange={(value) => setType(value ?? type)}
      />
      <Button type="submit" loading={isBusy} disabled={shortName === ''}>
        {t('bots.create')}
      </Button>
    </form>
  );
}

interface BotEntryProps {
  readonly bot: Bot;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function BotEntry({ bot, isOpen, onToggle }: BotEntryProps) {
  const { isBusy, run } = useWork();
  const copyKey = async (): Promise<void> => {
    await copyText(bot.api_key);
    toast(t('bots.keyCopied'));
  };
  const setPicture = (file: File): void => void run(() => request('PATCH', `/api/v1/bots/${bot.user_id}`, { file }));
  const renew = (): void => void run(() => api.post(`/bots/${bot.user_id}/api_key/regenerate`), t('bots.renewed'));
  return (
    <li>
      <Avatar name={bot.full_name} id={bot.user_id} url={bot.avatar_url} />
      <span className={classes.grow}>
        {bot.full_name}
        <small>{bot.email}</small>
      </span>
      <div className={classes.buttons}>
        <Button size="compact-sm" variant="light" aria-expanded={isOpen} onClick={onToggle}>
          {t('bots.address')}
        </Button>
        <PictureButton size="compact-sm" loading={isBusy} onPick={setPicture}>
          {t('bots.picture')}
        </PictureButton>
        <Button size="compact-sm" variant="default" onClick={() => void copyKey()}>
          {t('bots.copyKey')}
        </Button>
        <SureButton size="compact-sm" disabled={isBusy} onSure={renew}>
          {t('account.newKey')}
        </SureButton>
        <Button size="compact-sm" variant="default" onClick={() => void run(() => downloadZuliprc(bot), '')}>
          {t('bots.zuliprc')}
        </Button>
        <SureButton
          size="compact-sm"
          disabled={isBusy}
          onSure={() => void run(() => api.remove(`/bots/${bot.user_id}`), t('bots.removed'))}
        >
          {t('bots.remove')}
        </SureButton>
      </div>
      {isOpen && <WebhookBuilder bot={bot} />}
    </li>
  );
}

async function downloadZuliprc(bot: Bot): Promise<void> {
  const text = await fetchText(`/api/v1/bots/${bot.user_id}/zuliprc`);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = 'zuliprc';
  link.click();
  URL.revokeObjectURL(link.href);
}
