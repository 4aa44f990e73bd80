/** The company's conversations, and the messages of opened ones. Events keep them up to date. */
import { create } from 'zustand';
import { api } from '../http/api';
import { lastActivity, type Conversation, type TextMessage } from './wire';

interface Inbox {
  readonly conversations: ReadonlyMap<string, Conversation>;
  /** Oldest first, for each opened conversation. */
  readonly messages: ReadonlyMap<string, readonly TextMessage[]>;
  readonly isLoaded: boolean;
  readonly isConnected: boolean;
}

const PATH = '/texting/conversations';
/** More can be found by searching. */
const MAX_CONVERSATIONS = 100;
const MAX_MESSAGES = 100;

export const useInbox = create<Inbox>(() => ({
  conversations: new Map(),
  messages: new Map(),
  isLoaded: false,
  isConnected: false,
}));

/** Clears the state for another user. */
export const emptyInbox = (): void =>
  useInbox.setState({ conversations: new Map(), messages: new Map(), isLoaded: false });

export const setConnected = (isConnected: boolean): void => useInbox.setState({ isConnected });

function putConversations(found: readonly Conversation[]): void {
  useInbox.setState(({ conversations }) => {
    const next = new Map(conversations);
    for (const each of found) next.set(each.id, each);
    return { conversations: next, isLoaded: true };
  });
}

/** Newest message first. */
export const inOrder = (conversations: ReadonlyMap<string, Conversation>): readonly Conversation[] =>
  [...conversations.values()].sort((one, other) => lastActivity(other).localeCompare(lastActivity(one)));

export async function loadConversations(search = ''): Promise<readonly string[]> {
  const { items } = await api.list<Conversation>(PATH, { search, per_page: MAX_CONVERSATIONS });
  putConversations(items);
  return items.map(({ id }) => id);
}

export async function loadConversation(id: string): Promise<void> {
  putConversations([await api.get<Conversation>(`${PATH}/${id}`)]);
}

export async function loadMessages(id: string): Promise<void> {
  const { items } = await api.list<TextMessage>(`${PATH}/${id}/messages`, { per_page: MAX_MESSAGES });
  useInbox.setState(({ messages }) => ({ messages: new Map(messages).set(id, [...items].reverse()) }));
}

/** Reloads everything on screen after a gap that the server can no longer replay. */
export async function loadAgain(): Promise<void> {
  const opened = [...useInbox.getState().messages.keys()];
  await Promise.all([loadConversations(), ...opened.map(loadMessages)]);
}

/** Replaces a message with the same id or stamp. */
export function putMessage(message: TextMessage): void {
  useInbox.setState(({ messages }) => {
    const known = messages.get(message.conversation_id);
    if (!known) return {};
    const isSame = (each: TextMessage): boolean =>
      each.id === message.id || (message.stamp_id !== null && each.stamp_id === message.stamp_id);
    const next = known.some(isSame)
      ? known.map((each) => (isSame(each) ? message : each))
      : [...known, message].slice(-MAX_MESSAGES);
    return { messages: new Map(messages).set(message.conversation_id, next) };
  });
}

export function dropMessage(conversationId: string, id: string): void {
  useInbox.setState(({ messages }) => {
    const known = messages.get(conversationId);
    if (!known) return {};
    return {
      messages: new Map(messages).set(
        conversationId,
        known.filter((each) => each.id !== id),
      ),
    };
  });
}

export function dropConversation(id: string): void {
  useInbox.setState(({ conversations, messages }) => {
    const [left, others] = [new Map(conversations), new Map(messages)];
    left.delete(id);
    others.delete(id);
    return { conversations: left, messages: others };
  });
}

export async function markRead(conversationId: string): Promise<void> {
  const unread = (useInbox.getState().messages.get(conversationId) ?? []).filter(
    ({ direction, is_read: isRead }) => direction === 'inbound' && !isRead,
  );
  if (unread.length === 0) return;
  const ids = new Set(unread.map(({ id }) => id));
  await api.post(`${PATH}/${conversationId}/read`, { messagesIds: [...ids] });
  useInbox.setState(({ messages }) => {
    const known = messages.get(conversationId) ?? [];
    const next = known.map((each) => (ids.has(each.id) ? { ...each, is_read: true } : each));
    return { messages: new Map(messages).set(conversationId, next) };
  });
  await loadConversation(conversationId);
}

export const unreadTotal = ({ conversations }: Inbox): number =>
  [...conversations.values()].reduce((sum, { unread_msg_count: unread }) => sum + unread, 0);
