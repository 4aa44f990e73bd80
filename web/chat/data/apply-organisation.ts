/** Applies events about people, streams, subscriptions and settings. */
import { api } from '../../shared/http/request';
import { GROUP_CHANGES } from './apply-groups';
import { personChange } from './apply-people';
import { put, without, type Change } from '../events/apply-change';
import { reportHere } from '../notices/in-use';
import { STREAM_CHANGES } from '../streams/apply-streams';
import { FOLDER_CHANGES } from '../streams/folders';
import { chat, emojiByName, topicKey, useChat, type ChatState } from './store';
import type { Bot, CustomEmoji, UserTopic } from './wire';

/** While the list of people is on its way, what happens to them is applied to it again. */
const realmUser: Change = (state, event) => ({
  ...personChange(state, event),
  ...(state.awaited ? { awaited: [...state.awaited, event] } : {}),
});

const realmBot: Change = ({ bots }, { op, bot }) => {
  const given = bot as Partial<Bot> & { user_id: number };
  if (op === 'delete') return { bots: without(bots, [given.user_id]) };
  const change = op === 'remove' ? { is_active: false } : given;
  return { bots: put(bots, [[given.user_id, { ...bots.get(given.user_id), ...change } as Bot]]) };
};

const userTopic: Change = ({ userTopics }, event) => {
  const changed = event as unknown as UserTopic;
  const next = new Map(userTopics);
  const key = topicKey(changed.stream_id, changed.topic_name);
  if (changed.visibility_policy > 0) next.set(key, changed);
  else next.delete(key);
  return { userTopics: next };
};

const ofRealm: Change = ({ settings }, event) => {
  const data = (event['data'] as object | undefined) ?? { [event['property'] as string]: event['value'] };
  const named = Object.fromEntries(Object.entries(data).map(([name, value]) => [`realm_${name}`, value as unknown]));
  return { settings: { ...settings, ...named } };
};

const byEmail = new WeakMap<ChatState['people'], ReadonlyMap<string, number>>();

/** Of thousands of people, several of whom come and go every second. */
function idsByEmail(people: ChatState['people']): ReadonlyMap<string, number> {
  const ids = byEmail.get(people) ?? new Map([...people.values()].map(({ email, user_id }) => [email, user_id]));
  byEmail.set(people, ids);
  return ids;
}

const presence: Change = ({ presence: before, people }, event) => {
  const id = idsByEmail(people).get(event['email'] as string);
  const clients = Object.values(event['presence'] as Record<string, { status: string; timestamp: number }>);
  const newest = clients.sort((a, b) => b.timestamp - a.timestamp)[0];
  if (id === undefined || !newest) return {};
  return { presence: put(before, [[id, { status: newest.status, at: newest.timestamp }]]) };
};

/** How long a user counts as typing after the last notification. */
const TYPING_MS = 15_000;

const typing: Change = ({ typing: before, ownId }, event) => {
  const sender = (event['sender'] as { user_id: number }).user_id;
  if (sender === ownId) return {};
  const ids = (event['recipients'] as { user_id: number }[]).map((each) => each.user_id);
  const key = ids
    .filter((id) => id !== ownId)
    .sort((a, b) => a - b)
    .join();
  const those = new Map(before.get(key));
  if (event.op === 'start') those.set(sender, Date.now() + TYPING_MS);
  else those.delete(sender);
  return { typing: new Map(before).set(key, those) };
};

const setNamed =
  (name: string): Change =>
  ({ settings }, event) => ({
    settings: { ...settings, [event[name] as string]: event['setting'] },
  });

const keep =
  (...names: string[]): Change =>
  ({ settings }, event) => ({
    settings: { ...settings, ...Object.fromEntries(names.map((name) => [name, event[name]])) },
  });

export const ORGANISATION_CHANGES: Readonly<Record<string, Change | undefined>> = {
  ...GROUP_CHANGES,
  realm_user: realmUser,
  realm_bot: realmBot,
  ...STREAM_CHANGES,
  ...FOLDER_CHANGES,
  user_topic: userTopic,
  muted_users: (_, event) => ({ mutedUsers: new Set((event['muted_users'] as { id: number }[]).map(({ id }) => id)) }),
  realm: ofRealm,
  presence,
  typing,
  realm_emoji: (_, event) => ({ emoji: emojiByName(event['realm_emoji'] as Record<string, CustomEmoji>) }),
  realm_filters: (_, event) => ({ linkifiers: event['realm_filters'] as [string, string, number][] }),
  update_display_settings: setNamed('setting_name'),
  update_global_notifications: setNamed('notification_name'),
  custom_profile_fields: ({ settings }, event) => ({
    settings: { ...settings, custom_profile_fields: event['fields'] },
  }),
  default_streams: ({ settings }, event) => ({
    settings: { ...settings, realm_default_streams: event['default_streams'] },
  }),
  alert_words: keep('alert_words'),
};

const PING_MS = 60_000;
/** Reports our presence periodically, and receives that of others. */
export function startPresence(): () => void {
  let isActive = true;
  const note = (): void => void (isActive = true);
  const ping = async (): Promise<void> => {
    if (chat().connection !== 'online') return;
    const status = isActive && document.visibilityState === 'visible' ? 'active' : 'idle';
    isActive = false;
    const answered = reportHere(status === 'active');
    const answer = await api.post<{
      server_timestamp: number;
      presences: Record<string, { aggregated?: { status: string; timestamp: number } }>;
    }>('/users/me/presence', { status, new_user_input: status === 'active', ping_only: false, client: 'website' });
    answered(answer.server_timestamp);
    const ids = idsByEmail(chat().people);
    const entries = Object.entries(answer.presences).flatMap(([email, { aggregated }]) => {
      const id = ids.get(email);
      return id && aggregated ? [[id, { status: aggregated.status, at: aggregated.timestamp }] as const] : [];
    });
    useChat.setState({ presence: new Map(entries) });
  };
  const pingQuietly = (): void => void ping().catch(() => undefined);
  pingQuietly();
  const timer = setInterval(pingQuietly, PING_MS);
  for (const event of ['pointerdown', 'keydown', 'scroll']) addEventListener(event, note, { passive: true });
  return () => {
    clearInterval(timer);
    for (const event of ['pointerdown', 'keydown', 'scroll']) removeEventListener(event, note);
  };
}
