/** The company's conversations. Events keep them up to date. */
import { create } from 'zustand';
import { api } from '../http/api';
import { lastActivity, type Conversation } from './wire';

interface Inbox {
  readonly conversations: ReadonlyMap<string, Conversation>;
  readonly isLoaded: boolean;
  readonly isConnected: boolean;
}

const PATH = '/texting/conversations';
const PAGE = 100;

export const useInbox = create<Inbox>(() => ({
  conversations: new Map(),
  isLoaded: false,
  isConnected: false,
}));

/** Clears the state for another user. */
export const emptyInbox = (): void => useInbox.setState({ conversations: new Map(), isLoaded: false });

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

/** Loads a page, and returns what was found and whether there is another page. */
export async function loadConversations(
  search = '',
  page = 1,
): Promise<{ readonly ids: readonly string[]; readonly hasMore: boolean }> {
  const { items, total } = await api.list<Conversation>(PATH, { search, page, per_page: PAGE });
  putConversations(items);
  return { ids: items.map(({ id }) => id), hasMore: page * PAGE < total };
}

export async function loadConversation(id: string): Promise<void> {
  putConversations([await api.get<Conversation>(`${PATH}/${id}`)]);
}

export function forgetConversation(id: string): void {
  useInbox.setState(({ conversations }) => {
    const left = new Map(conversations);
    left.delete(id);
    return { conversations: left };
  });
}

export const unreadTotal = ({ conversations }: Inbox): number =>
  [...conversations.values()].reduce((sum, { unread_msg_count: unread }) => sum + unread, 0);
