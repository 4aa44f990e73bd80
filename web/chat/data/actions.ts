/** Actions on messages, topics and streams. The page changes at once if undoing is easy. */
import { api } from '../../shared/http/request';
import { moderates } from '../admin/roles';
import { setFlag } from './apply-messages';
import { chat, isInArchive, useChat } from './store';
import type { Message, Reaction, TopicPolicy } from './wire';

const MAX_IDS = 1000;

/** In as many requests as the ids need. */
export async function sendFlag(ids: readonly number[], flag: string, isOn: boolean): Promise<void> {
  for (let at = 0; at < ids.length; at += MAX_IDS) {
    await api.post('/messages/flags', { messages: ids.slice(at, at + MAX_IDS), op: isOn ? 'add' : 'remove', flag });
  }
}

export async function markUnreadFrom(ids: readonly number[]): Promise<void> {
  await sendFlag(ids, 'read', false);
  setFlag(ids, 'read', false);
}

export async function toggleStar(message: Message): Promise<void> {
  const isOn = !message.flags.includes('starred');
  setFlag([message.id], 'starred', isOn);
  try {
    await api.post('/messages/flags', { messages: [message.id], op: isOn ? 'add' : 'remove', flag: 'starred' });
  } catch (error) {
    setFlag([message.id], 'starred', !isOn);
    throw error;
  }
}

export type Emoji = Pick<Reaction, 'emoji_name' | 'emoji_code' | 'reaction_type'>;

export async function toggleReaction(
  message: Message,
  { emoji_name, emoji_code, reaction_type }: Emoji,
): Promise<void> {
  const isOwn = message.reactions.some(
    (each) => each.emoji_code === emoji_code && each.reaction_type === reaction_type && each.user.id === chat().ownId,
  );
  const path = `/messages/${message.id}/reactions`;
  const params = { emoji_name, emoji_code, reaction_type };
  await (isOwn ? api.remove(path, params) : api.post(path, params));
}

export const rawContentOf = async (id: number): Promise<string> =>
  (await api.get<{ raw_content: string }>(`/messages/${id}`)).raw_content;

/** Remembered in the account: whether Enter sends a message, or begins a new line. */
export async function setEnterSends(enter_sends: boolean): Promise<void> {
  useChat.setState(({ settings }) => ({ settings: { ...settings, enter_sends } }));
  await api.post('/users/me/enter-sends', { enter_sends });
}

export const renderContent = async (content: string): Promise<string> =>
  (await api.post<{ rendered: string }>('/messages/render', { content })).rendered;

export interface Edit {
  readonly content?: string;
  readonly topic?: string;
  readonly propagate_mode?: string;
  readonly stream_id?: number;
  readonly send_notification_to_old_thread?: boolean;
  readonly send_notification_to_new_thread?: boolean;
}

export const editMessage = (id: number, edit: Edit) => api.patch(`/messages/${id}`, { ...edit });
export const removeMessage = (id: number) => api.remove(`/messages/${id}`);

export interface Revision {
  readonly timestamp: number;
  readonly user_id: number;
  readonly topic: string;
  readonly prev_topic?: string;
  readonly rendered_content: string;
  readonly content_html_diff?: string;
}

export const historyOf = async (id: number): Promise<readonly Revision[]> =>
  (await api.get<{ message_history: Revision[] }>(`/messages/${id}/history`)).message_history;

export const markTopicRead = (streamId: number, topic: string) =>
  api.post('/mark_topic_as_read', { stream_id: streamId, topic_name: topic });
export const markStreamRead = (streamId: number) => api.post('/mark_stream_as_read', { stream_id: streamId });
export const markAllRead = () => api.post('/mark_all_as_read');

export const setTopicPolicy = (streamId: number, topic: string, policy: TopicPolicy) =>
  api.post('/user_topics', { stream_id: streamId, topic, visibility_policy: policy });

/** Mutes a topic, or lets it be seen. In a muted stream the latter takes a policy of the topic's own. */
export function muteTopic(streamId: number, topic: string, isOn: boolean) {
  const isStreamMuted = chat().subscriptions.get(streamId)?.is_muted === true;
  return setTopicPolicy(streamId, topic, isOn ? 1 : isStreamMuted ? 2 : 0);
}

/** Deletes all messages of a topic; for administrators. */
export const deleteTopic = (streamId: number, topic: string) =>
  api.post(`/streams/${streamId}/delete_topic`, { topic_name: topic });

export const setSubscription = (streamId: number, property: string, value: unknown) =>
  api.post('/users/me/subscriptions/properties', { subscription_data: [{ stream_id: streamId, property, value }] });

/** Nobody can write to the stream any more; for administrators. */
export const archiveStream = (streamId: number) => api.remove(`/streams/${streamId}`);
export const unarchiveStream = (streamId: number) => api.patch(`/streams/${streamId}`, { is_archived: false });

export const subscribe = (names: readonly string[], more: object = {}) =>
  api.post<{ already_subscribed: object; subscribed: object }>('/users/me/subscriptions', {
    subscriptions: names.map((name) => ({ name })),
    ...more,
  });

export const unsubscribe = (name: string, more: object = {}) =>
  api.remove('/users/me/subscriptions', { subscriptions: [name], ...more });

export function canEditContent(message: Message): boolean {
  const { settings, ownId } = chat();
  if (isInArchive(message)) return false;
  if (message.sender_id !== ownId || settings['realm_allow_message_editing'] !== true) return false;
  const limit = Number(settings['realm_message_content_edit_limit_seconds'] ?? 0);
  return limit === 0 || Date.now() / 1000 - message.timestamp < limit;
}

export function canEditTopic(message: Message): boolean {
  const { settings, people, ownId } = chat();
  if (message.type !== 'stream' || isInArchive(message)) return false;
  if (settings['realm_allow_message_editing'] !== true) return false;
  if (moderates(people.get(ownId)) || message.sender_id === ownId) return true;
  return settings['realm_allow_community_topic_editing'] === true && Date.now() / 1000 - message.timestamp < 86_400;
}

export function canDelete(message: Message): boolean {
  const { settings, people, ownId } = chat();
  if (isInArchive(message)) return false;
  if (people.get(ownId)?.is_admin === true) return true;
  if (message.sender_id !== ownId || settings['realm_allow_message_deleting'] !== true) return false;
  const limit = Number(settings['realm_message_content_delete_limit_seconds'] ?? 0);
  return limit === 0 || Date.now() / 1000 - message.timestamp < limit;
}
