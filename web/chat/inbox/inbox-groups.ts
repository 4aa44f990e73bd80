/** The unread conversations, by stream and people, as the Inbox shows them. No React here: the first paint uses it too. */
import { pathOf } from '../data/narrow';
import { namesOf, type ChatState } from '../data/store';
import type { Person, Subscription } from '../data/wire';
import { inOrder } from '../side/stream-groups';
import { countsOf, unreadConversations } from '../side/unread-total';

export interface InboxRow {
  readonly key: string;
  readonly path: string;
  readonly name: string;
  readonly ids: ReadonlySet<number>;
  readonly isMention: boolean;
  /** The newest unread message. */
  readonly newest: number;
  /** Of a private conversation. */
  readonly userIds?: readonly number[];
  readonly people?: readonly Person[];
}

export interface InboxGroup {
  readonly key: string;
  readonly count: number;
  readonly rows: readonly InboxRow[];
  /** Undefined for the private conversations. */
  readonly stream?: Subscription;
}

type Shown = Pick<ChatState, 'unread' | 'subscriptions' | 'userTopics' | 'people'>;

/** Private conversations first, then streams as in the side bar; the newest conversation first in each. */
export function inboxGroups(state: Shown): readonly InboxGroup[] {
  const rows = new Map<string, InboxRow[]>();
  for (const conversation of unreadConversations(state)) {
    const group = conversation.startsWith('p:') ? 'p' : conversation.slice(0, conversation.indexOf(':', 2));
    const row = rowOf(conversation, state);
    rows.set(group, [...(rows.get(group) ?? []), row]);
  }
  const streams = inOrder(state.subscriptions.values()).map((stream) => ({ key: `s:${stream.stream_id}`, stream }));
  return [{ key: 'p' }, ...streams].flatMap((group) => {
    const own = rows.get(group.key);
    if (!own) return [];
    const count = own.reduce((sum, { ids }) => sum + ids.size, 0);
    return [{ ...group, count, rows: own.toSorted((a, b) => b.newest - a.newest) }];
  });
}

function rowOf(conversation: string, state: Shown): InboxRow {
  const { unread, people } = state;
  const ids = unread.messagesIn.get(conversation)!;
  const isMention = countsOf(state).mentioned.has(conversation);
  const shared = { key: conversation, ids, isMention, newest: newestOf(ids) };
  if (conversation.startsWith('p:')) {
    const userIds = conversation.slice(2).split(',').map(Number);
    return {
      ...shared,
      path: pathOf({ kind: 'private', userIds }),
      name: namesOf(people, userIds),
      userIds,
      people: userIds.flatMap((id) => people.get(id) ?? []),
    };
  }
  const streamId = Number(conversation.split(':')[1]);
  const topic = unread.topicNames.get(conversation) ?? '';
  return { ...shared, path: pathOf({ kind: 'topic', streamId, topic }), name: topic };
}

function newestOf(ids: ReadonlySet<number>): number {
  let newest = 0;
  for (const id of ids) newest = Math.max(newest, id);
  return newest;
}
