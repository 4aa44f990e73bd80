/** State of the organisation except messages. Containers are replaced when they change. */
import { create } from 'zustand';
import { foldersFrom, type Folder } from '../streams/folders';
import { emptyUnread, unreadFrom, type Unread } from './unread';
import type {
  Bot,
  CustomEmoji,
  Message,
  Person,
  Registered,
  ServerEvent,
  Status,
  Stream,
  Subscription,
  UserTopic,
} from './wire';

export interface Topic {
  readonly name: string;
  readonly maxId: number;
}

export interface PrivateConversation {
  readonly userIds: readonly number[];
  readonly maxId: number;
}

export type Connection = 'starting' | 'online' | 'offline' | 'failed';

export interface ChatState {
  readonly connection: Connection;
  /** When the next connection attempt comes. */
  readonly retryAt: number;
  readonly queueId: string;
  /** The queue whose events arrive here: that of the tab which receives them for all. */
  readonly sourceQueueId: string;
  readonly ownId: number;
  /** All fields of the register answer, including settings, by their wire names. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Until the list of everybody has arrived (`people-list.ts`), only those who are needed first. */
  readonly people: ReadonlyMap<number, Person>;
  /** The events about people since there is a queue. Undefined once the list has arrived. */
  readonly awaited: readonly ServerEvent[] | undefined;
  readonly inactive: ReadonlySet<number>;
  /** Our own, once they have been shown. */
  readonly bots: ReadonlyMap<number, Bot>;
  /** Archived streams too. */
  readonly streams: ReadonlyMap<number, Stream>;
  readonly subscriptions: ReadonlyMap<number, Subscription>;
  /** Subscriptions to archived streams: they count again when these come back. */
  readonly archived: ReadonlyMap<number, Subscription>;
  /** In their order, archived ones too. */
  readonly folders: readonly Folder[];
  readonly topics: ReadonlyMap<number, readonly Topic[]>;
  /** Ids of the members of streams that were asked for. */
  readonly members: ReadonlyMap<number, ReadonlySet<number>>;
  /** Topics that the user muted, unmuted in a muted stream, or follows, by `streamId:topic` in lower case. */
  readonly userTopics: ReadonlyMap<string, UserTopic>;
  /** People of whom the user wants to read nothing. */
  readonly mutedUsers: ReadonlySet<number>;
  readonly conversations: readonly PrivateConversation[];
  readonly unread: Unread;
  readonly starred: ReadonlySet<number>;
  readonly emoji: ReadonlyMap<string, CustomEmoji>;
  readonly linkifiers: readonly (readonly [string, string, number])[];
  /** Last status of each person and its time in Unix seconds, by id. */
  readonly presence: ReadonlyMap<number, { readonly status: string; readonly at: number }>;
  /** What people say of themselves beside their names. */
  readonly statuses: ReadonlyMap<number, Status>;
  /** By conversation (`1,2`): who is typing, and until when that counts. */
  readonly typing: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

export const useChat = create<ChatState>(() => ({
  connection: 'starting',
  retryAt: 0,
  queueId: '',
  sourceQueueId: '',
  ownId: 0,
  settings: {},
  people: new Map(),
  awaited: [],
  inactive: new Set(),
  bots: new Map(),
  streams: new Map(),
  subscriptions: new Map(),
  archived: new Map(),
  folders: [],
  topics: new Map(),
  members: new Map(),
  userTopics: new Map(),
  mutedUsers: new Set(),
  conversations: [],
  unread: emptyUnread(),
  starred: new Set(),
  emoji: new Map(),
  linkifiers: [],
  presence: new Map(),
  statuses: new Map(),
  typing: new Map(),
}));

export const chat = (): ChatState => useChat.getState();

/** The policy of topics that the user follows. */
export const FOLLOWED = 3;

export const topicKey = (streamId: number, topic: string): string => `${streamId}:${topic.toLowerCase()}`;

type Muting = Pick<ChatState, 'subscriptions' | 'userTopics'>;

/** Whether a topic is muted, by itself or with its stream. */
export function isTopicMuted({ subscriptions, userTopics }: Muting, streamId: number, key: string): boolean {
  const own = userTopics.get(key);
  return own ? own.visibility_policy === 1 : subscriptions.get(streamId)?.is_muted === true;
}

/** Whether a message can no longer be answered or changed, because its stream is archived. */
export const isInArchive = ({ stream_id: id = 0 }: Pick<Message, 'stream_id'>): boolean =>
  chat().streams.get(id)?.is_archived === true;

export const isMuted = (streamId: number, topic: string): boolean =>
  isTopicMuted(chat(), streamId, topicKey(streamId, topic));

export const nameOf = (id: number, { people, awaited } = chat()): string =>
  people.get(id)?.full_name ?? (awaited ? '…' : '?');

export const namesOf = (people: ChatState['people'], userIds: readonly number[]): string =>
  userIds.map((id) => nameOf(id, { ...chat(), people })).join(', ');

export const setting = <Value>(name: string, fallback: Value): Value =>
  (chat().settings[name] as Value | undefined) ?? fallback;

export const useSetting = <Value>(name: string, fallback: Value): Value =>
  useChat((state) => (state.settings[name] as Value | undefined) ?? fallback);

export const useIsAdmin = (): boolean => useChat((state) => state.people.get(state.ownId)?.is_admin === true);

export function byId<Item>(items: readonly Item[], id: (item: Item) => number): Map<number, Item> {
  return new Map(items.map((item) => [id(item), item]));
}

export function applyRegistered(answer: Registered): void {
  useChat.setState({
    ...stateFrom(answer, chat()),
    unread: unreadFrom(answer.unread_msgs, answer.user_id),
    topics: new Map(),
    members: new Map(),
    connection: 'online',
  });
}

/** After another registration, those who were known stay until the list arrives anew. */
function stateFrom(answer: Registered, before: ChatState): Partial<ChatState> {
  const inactive = answer.realm_non_active_users;
  const given = [...answer.realm_users, ...inactive, ...answer.cross_realm_bots];
  const streams = [...answer.subscriptions, ...answer.unsubscribed, ...answer.never_subscribed];
  return {
    queueId: answer.queue_id,
    sourceQueueId: answer.queue_id,
    ownId: answer.user_id,
    settings: answer,
    people: new Map([...before.people, ...byId(given, (each) => each.user_id)]),
    inactive: new Set([...before.inactive, ...inactive.map((each) => each.user_id)]),
    awaited: [],
    streams: byId<Stream>(streams, (each) => each.stream_id),
    subscriptions: ownOf(answer, false),
    archived: ownOf(answer, true),
    folders: foldersFrom(answer['channel_folders']),
    userTopics: new Map(answer.user_topics.map((each) => [topicKey(each.stream_id, each.topic_name), each])),
    mutedUsers: new Set(answer.muted_users?.map(({ id }) => id)),
    conversations: answer.recent_private_conversations.map((each) => ({
      // A conversation with oneself names nobody else.
      userIds: each.user_ids.length > 0 ? each.user_ids : [answer.user_id],
      maxId: each.max_message_id,
    })),
    starred: new Set(answer.starred_messages),
    emoji: emojiByName(answer.realm_emoji),
    linkifiers: answer.realm_filters,
    statuses: new Map(Object.entries(answer.user_status).map(([id, status]) => [Number(id), status])),
  };
}

const ownOf = ({ subscriptions }: Registered, isArchived: boolean): Map<number, Subscription> =>
  byId(
    // A node of an earlier release does not say.
    subscriptions.filter((each) => Boolean(each.is_archived) === isArchived),
    (each) => each.stream_id,
  );

export const emojiByName = (emoji: Readonly<Record<string, CustomEmoji>>): Map<string, CustomEmoji> =>
  new Map(Object.entries(emoji).map(([id, each]) => [each.name, { ...each, id }]));
