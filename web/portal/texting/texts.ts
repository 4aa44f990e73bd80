/** The messages of opened conversations, oldest first. Events keep them up to date. */
import { create } from 'zustand';
import { api } from '../http/api';
import { forgetConversation, loadConversation, loadConversations, useInbox } from './inbox';
import { isOnItsWay, isUnread, type TextMessage } from './wire';

interface Opened {
  readonly messages: readonly TextMessage[];
  /** Whether the server may have older ones. */
  readonly hasOlder: boolean;
}

const PAGE = 100;
/** Unread messages beyond these stay unread until somebody scrolls to them. */
const MOST_UNREAD_PAGES = 5;
/** A page of thousands of messages is slow; what is further back is reached by scrolling. */
const MOST_REACHED_PAGES = 50;
/** The server takes a thousand ids at once. */
const MOST_READ = 1000;

export const useTexts = create<{ readonly opened: ReadonlyMap<string, Opened> }>(() => ({ opened: new Map() }));

/** Clears the state for another user. */
export const emptyTexts = (): void => useTexts.setState({ opened: new Map() });

const pathOf = (conversationId: string): string => `/texting/conversations/${conversationId}`;
const openedOf = (conversationId: string): Opened | undefined => useTexts.getState().opened.get(conversationId);

function change(conversationId: string, how: (before: Opened) => Opened): void {
  useTexts.setState(({ opened }) => {
    const before = opened.get(conversationId);
    return before ? { opened: new Map(opened).set(conversationId, how(before)) } : {};
  });
}

const isSame = (one: TextMessage, other: TextMessage): boolean =>
  one.id === other.id || (one.stamp_id !== null && one.stamp_id === other.stamp_id);

async function page(conversationId: string, query: Readonly<Record<string, string>> = {}): Promise<TextMessage[]> {
  const { items } = await api.list<TextMessage>(`${pathOf(conversationId)}/messages`, { ...query, per_page: PAGE });
  return [...items].reverse();
}

/** Loads the newest messages, and keeps the older ones that were loaded before, unless there is a gap between them. */
export async function loadNewest(conversationId: string): Promise<void> {
  const fresh = await page(conversationId);
  useTexts.setState(({ opened }) => {
    const { messages, hasOlder } = opened.get(conversationId) ?? { messages: [], hasOlder: true };
    const meets = messages.findIndex((message) => fresh.some(({ id }) => id === message.id));
    const older = meets < 0 ? [] : messages.slice(0, meets);
    const end = fresh.at(-1)?.created_at ?? '';
    // What was sent or received while the server answered.
    const newer = messages.filter(
      (each) => (isOnItsWay(each) || each.created_at > end) && !fresh.some((other) => isSame(each, other)),
    );
    const next = {
      messages: [...older, ...fresh, ...newer],
      hasOlder: older.length > 0 ? hasOlder : fresh.length === PAGE,
    };
    return { opened: new Map(opened).set(conversationId, next) };
  });
}

const underWay = new Map<string, Promise<void>>();

/** Loads the page before the oldest known message, once at a time. */
export function loadOlder(conversationId: string): Promise<void> {
  const before = openedOf(conversationId);
  const [first] = before?.messages ?? [];
  if (!before?.hasOlder || !first) return Promise.resolve();
  const known = underWay.get(conversationId);
  if (known) return known;
  const loading = page(conversationId, { before: first.id })
    .then((older) =>
      change(conversationId, ({ messages }) => ({
        messages: [...older.filter((each) => !messages.some((other) => isSame(each, other))), ...messages],
        hasOlder: older.length === PAGE,
      })),
    )
    .finally(() => underWay.delete(conversationId));
  underWay.set(conversationId, loading);
  return loading;
}

/** Loads the newest messages, and as many older ones as are unread. */
export async function openTexts(conversationId: string): Promise<void> {
  await Promise.all([loadConversation(conversationId), loadNewest(conversationId)]);
  for (let at = 0; at < MOST_UNREAD_PAGES; at += 1) {
    const wanted = useInbox.getState().conversations.get(conversationId)?.unread_msg_count ?? 0;
    const opened = openedOf(conversationId);
    if (!opened?.hasOlder || opened.messages.filter(isUnread).length >= wanted) return;
    await loadOlder(conversationId);
  }
}

/** Loads older messages until the one with this id is there. Returns whether it is. */
export async function reachText(conversationId: string, id: string): Promise<boolean> {
  const isThere = (): boolean => openedOf(conversationId)?.messages.some((message) => message.id === id) ?? false;
  for (let at = 0; at < MOST_REACHED_PAGES && !isThere() && openedOf(conversationId)?.hasOlder; at += 1) {
    await loadOlder(conversationId);
  }
  return isThere();
}

/** Asks for the state of messages of the last minutes, which may have been delivered meanwhile. */
export async function lookAgain(conversationId: string, isPending: (message: TextMessage) => boolean): Promise<void> {
  const messages = openedOf(conversationId)?.messages ?? [];
  const at = messages.findIndex((message) => isPending(message) && !isOnItsWay(message));
  const before = messages[at - 1];
  if (at < 0) return;
  if (!before) return loadNewest(conversationId);
  for (const message of await page(conversationId, { after: before.id })) putText(message);
}

/** Reloads everything on screen after a gap that the server can no longer replay. */
export async function loadAgain(): Promise<void> {
  const opened = [...useTexts.getState().opened.keys()];
  await Promise.all([loadConversations(), ...opened.map(loadNewest)]);
}

/** Adds a message, or replaces the one with the same id or stamp. */
export function putText(message: TextMessage): void {
  change(message.conversation_id, ({ messages, hasOlder }) => {
    const isKnown = messages.some((each) => isSame(each, message));
    const next = isKnown ? messages.map((each) => (isSame(each, message) ? message : each)) : [...messages, message];
    return { messages: next, hasOlder };
  });
}

export function dropText(conversationId: string, id: string): void {
  change(conversationId, ({ messages, hasOlder }) => ({
    messages: messages.filter((each) => each.id !== id),
    hasOlder,
  }));
}

export function dropConversation(id: string): void {
  forgetConversation(id);
  useTexts.setState(({ opened }) => {
    const left = new Map(opened);
    left.delete(id);
    return { opened: left };
  });
}

/** Marks what is loaded as read, by this user. */
export async function markRead(conversationId: string): Promise<void> {
  const unread = (openedOf(conversationId)?.messages ?? []).filter(isUnread);
  const ids = new Set(unread.slice(-MOST_READ).map(({ id }) => id));
  if (ids.size === 0) return;
  await api.post(`${pathOf(conversationId)}/read`, { messagesIds: [...ids] });
  change(conversationId, ({ messages, hasOlder }) => ({
    messages: messages.map((each) => (ids.has(each.id) ? { ...each, is_read: true } : each)),
    hasOlder,
  }));
  await loadConversation(conversationId);
}
