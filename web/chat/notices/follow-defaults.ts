/**
 * The server tells how each stream notifies, with the reader's general settings already applied. When these change, the
 * streams without a choice of their own change with them, of which there are no events.
 */
import { api } from '../../shared/http/request';
import { chat, useChat } from '../data/store';
import type { Subscription } from '../data/wire';
import { WAYS, settingName } from './levels';

const GENERAL = [...WAYS.map((way) => settingName('streams', way)), 'wildcard_mentions_notify'];
const OWN = [...WAYS.map((way) => `${way}_notifications` as const), 'wildcard_mentions_notify'] as const;

export const followDefaults = (): (() => void) =>
  useChat.subscribe(({ settings }, { settings: before }) => {
    if (settings === before) return;
    const isChanged = (name: string) => before[name] !== undefined && settings[name] !== before[name];
    if (GENERAL.some(isChanged)) void readAgain().catch(() => undefined);
  });

async function readAgain(): Promise<void> {
  const answer = await api.get<{ subscriptions: readonly Subscription[] }>('/users/me/subscriptions');
  const next = new Map(chat().subscriptions);
  for (const given of answer.subscriptions) {
    const known = next.get(given.stream_id);
    if (known) next.set(given.stream_id, { ...known, ...Object.fromEntries(OWN.map((name) => [name, given[name]])) });
  }
  useChat.setState({ subscriptions: next });
}
