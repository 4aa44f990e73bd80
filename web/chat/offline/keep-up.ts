/** Keeps the conversations that were read last, for a start without a network. */
import { currentToken } from '../../shared/http/request';
import { useLists } from '../data/lists';
import { messageById } from '../data/messages';
import { chat, useChat, type ChatState } from '../data/store';
import { useSession } from '../session/session';
import { writeKept, type Kept } from './kept';

const MAX_LISTS = 20;
const MAX_IN_LIST = 60;
const EVERY_MS = 10_000;

/** Of the answer of register, what the store has as its own is not kept twice. */
const APART = ['realm_users', 'realm_non_active_users', 'subscriptions', 'unsubscribed', 'never_subscribed'];

function stateNow(userIds: ReadonlySet<number>): Partial<ChatState> {
  const { ownId, settings, people, inactive, subscriptions, archived, folders, ...more } = chat();
  const { userTopics, conversations, unread, starred, emoji, linkifiers, statuses } = more;
  const known = [...people].filter(([id, { is_bot: isBot }]) => userIds.has(id) || (isBot && id < 0));
  return {
    ownId,
    settings: Object.fromEntries(Object.entries(settings).filter(([name]) => !APART.includes(name))),
    people: new Map(known),
    inactive: new Set([...inactive].filter((id) => userIds.has(id))),
    streams: new Map([...subscriptions, ...archived]),
    subscriptions,
    archived,
    folders,
    userTopics,
    conversations,
    unread,
    starred,
    emoji,
    linkifiers,
    statuses: new Map([...statuses].filter(([id]) => userIds.has(id))),
  };
}

function keptNow(): Kept | undefined {
  const { session } = useSession.getState();
  if (!session?.signed_in) return undefined;
  const whole = [...useLists.getState().byKey.values()].filter(({ hasNewest, isLoading }) => hasNewest && !isLoading);
  const lists = whole.slice(-MAX_LISTS).map(({ narrow, ids }) => ({ narrow, ids: ids.slice(-MAX_IN_LIST) }));
  const messages = [...new Set(lists.flatMap(({ ids }) => ids))].flatMap((id) => messageById(id) ?? []);
  const known = new Set(messages.map(({ id }) => id));
  const inMessages = messages.flatMap(({ sender_id: sender, display_recipient: to, reactions }) => [
    sender,
    ...(typeof to === 'string' ? [] : to.map(({ id }) => id)),
    ...reactions.map(({ user }) => user.id),
  ]);
  const inConversations = chat().conversations.flatMap(({ userIds }) => userIds);
  return {
    at: Date.now(),
    session: { ...session, token: '' },
    state: stateNow(new Set([chat().ownId, ...inMessages, ...inConversations])),
    lists: lists.map(({ narrow, ids }) => ({ narrow, ids: ids.filter((id) => known.has(id)) })),
    messages,
  };
}

/** Without a worker the page cannot start without a network, so nothing is kept. */
const isUseful = (): boolean => Boolean(navigator.serviceWorker?.controller) && chat().connection === 'online';

export function startKeeping(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const kept = isUseful() ? keptNow() : undefined;
    // A browser without room shows less without a network.
    if (kept) void writeKept(currentToken(), kept).catch(() => undefined);
  };
  const soon = (): void => void (timer ??= setTimeout(write, EVERY_MS));
  const onHide = (): void => void (document.visibilityState === 'hidden' && write());
  const stops = [useLists.subscribe(soon), useChat.subscribe(soon)];
  document.addEventListener('visibilitychange', onHide);
  soon();
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onHide);
    for (const stop of stops) stop();
  };
}
