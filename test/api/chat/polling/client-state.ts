/** The state that a client keeps up to date: its registration, with every later event applied one by one. */

type Wire = Record<string, unknown>;
interface Sub extends Wire {
  name: string;
  stream_id: number;
  subscribers: number[];
}

export interface State extends Wire {
  user_id: number;
  subscriptions: Sub[];
  unsubscribed: Sub[];
  never_subscribed: Sub[];
  streams: { name: string; stream_id: number }[];
  muted_topics: string[][];
  realm_users: { user_id: number }[];
  unread_msgs: Unread;
}

/** By sender, topic or group; only the messages matter here. */
type Unread = Record<'pms' | 'streams' | 'huddles', { unread_message_ids: number[] }[]>;

export const STATE_TYPES = [
  'subscription',
  'stream',
  'muted_topics',
  'message',
  'update_message_flags',
  'realm_user',
  'pointer',
  'alert_words',
  'user_status',
];

const LISTS = ['subscriptions', 'unsubscribed', 'never_subscribed'] as const;
type Listed = Pick<Sub, 'name' | 'stream_id'>;

/** Removes a stream from the list that contains it. */
function take(state: State, id: number): Sub | undefined {
  for (const list of LISTS) {
    const found = state[list].find(({ stream_id: each }) => each === id);
    if (!found) continue;
    state[list] = state[list].filter((each) => each !== found);
    return found;
  }
  return undefined;
}

const without = (ids: readonly number[], id: number) => ids.filter((each) => each !== id);

function changePeers(state: State, event: Wire, change: (ids: number[], id: number) => number[]): void {
  const names = event['subscriptions'] as string[];
  for (const list of LISTS) {
    for (const sub of state[list]) {
      if (names.includes(sub.name)) sub.subscribers = change(sub.subscribers, event['user_id'] as number);
    }
  }
}

const SUBSCRIPTION: Readonly<Record<string, (state: State, event: Wire) => void>> = {
  add(state, event) {
    for (const sub of event['subscriptions'] as Sub[]) {
      take(state, sub.stream_id);
      state.subscriptions.push({ ...sub });
    }
  },
  remove(state, event) {
    for (const { stream_id: id } of event['subscriptions'] as Sub[]) {
      const left = take(state, id);
      if (left) state.unsubscribed.push({ ...left, subscribers: without(left.subscribers, state.user_id) });
    }
  },
  peer_add: (state, event) => changePeers(state, event, (ids, id) => [...without(ids, id), id]),
  peer_remove: (state, event) => changePeers(state, event, without),
  update(state, event) {
    const sub = state.subscriptions.find(({ stream_id: id }) => id === event['stream_id']);
    if (!sub) return;
    sub[event['property'] as string] = event['value'];
    if (event['property'] === 'in_home_view') sub['is_muted'] = event['value'] !== true;
  },
};

function applyStream(state: State, event: Wire): void {
  const listed = (event['streams'] ?? []) as Listed[];
  const ids = new Set(listed.map(({ stream_id: id }) => id));
  if (event['op'] === 'update') return;
  if (event['op'] === 'create') {
    for (const stream of listed) state.never_subscribed.push({ ...stream, subscribers: [] } as unknown as Sub);
  }
  state.streams = state.streams.filter(({ stream_id: id }) => !ids.has(id));
  if (event['op'] === 'create' || event['op'] === 'occupy') state.streams.push(...listed);
}

const APPLY: Readonly<Record<string, (state: State, event: Wire) => void>> = {
  subscription: (state, event) => SUBSCRIPTION[event['op'] as string]?.(state, event),
  stream: applyStream,
  muted_topics: (state, event) => (state.muted_topics = event['muted_topics'] as string[][]),
  alert_words: (state, event) => (state['alert_words'] = event['alert_words']),
  pointer: (state, event) => (state['pointer'] = event['pointer']),
  message(state, event) {
    const { id } = event['message'] as { id: number };
    state['max_message_id'] = id;
    if (!(event['flags'] as string[]).includes('read')) state.unread_msgs.pms.push({ unread_message_ids: [id] });
  },
  update_message_flags(state, event) {
    if (event['flag'] !== 'read') return;
    const ids = new Set(event['messages'] as number[]);
    const isRead = (id: number) => event['all'] === true || ids.has(id);
    for (const group of groupsOf(state.unread_msgs)) {
      group.unread_message_ids = group.unread_message_ids.filter((id) => !isRead(id));
    }
    if (event['operation'] === 'remove') state.unread_msgs.pms.push({ unread_message_ids: [...ids] });
  },
  realm_user(state, event) {
    const { email: _, ...change } = event['person'] as Wire;
    const user = state.realm_users.find(({ user_id: id }) => id === change['user_id']);
    Object.assign(user ?? {}, change);
    if (change['user_id'] === state.user_id && 'full_name' in change) state['full_name'] = change['full_name'];
  },
  user_status(state, event) {
    const all = state['user_status'] as Record<string, Wire>;
    const own: Wire = { ...all[String(event['user_id'])] };
    for (const key of ['away', 'status_text', 'emoji_name', 'emoji_code', 'reaction_type', 'scheduled_end_time']) {
      if (!(key in event)) continue;
      if (event[key] === '' || event[key] === false || event[key] === null) delete own[key];
      else own[key] = event[key];
    }
    if (Object.keys(own).length === 0) delete all[String(event['user_id'])];
    else all[String(event['user_id'])] = own;
  },
};

const groupsOf = ({ pms, streams, huddles }: Unread) => [...pms, ...streams, ...huddles];

export function applyEvent(state: State, event: Wire): void {
  APPLY[event['type'] as string]?.(state, event);
}

/**
 * Without values that differ between any two registrations, values that no event carries, and the order of arrival.
 * Messages of streams that the user has left count as read, as in Zulip, also after the user has marked one as unread.
 */
export function comparable(state: State, streamOf: ReadonlyMap<number, string> = new Map()): Wire {
  const subscribed = new Set(state.subscriptions.map(({ name }) => name));
  const plain = (sub: Sub) => ({
    ...sub,
    first_message_id: null,
    subscribers: [...sub.subscribers].sort((a, b) => a - b),
  });
  const sorted = (subs: readonly Sub[]) => subs.map(plain).sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    ...state,
    queue_id: null,
    last_event_id: null,
    subscriptions: sorted(state.subscriptions),
    // Settings of an unsubscribed stream do not matter until the user subscribes again.
    unsubscribed: sorted(state.unsubscribed).map(({ name, subscribers }) => ({ name, subscribers })),
    never_subscribed: sorted(state.never_subscribed).map(({ name, subscribers }) => ({ name, subscribers })),
    streams: state.streams.map(({ name }) => name).sort(),
    unread_msgs: groupsOf(state.unread_msgs)
      .flatMap(({ unread_message_ids: ids }) => ids)
      .filter((id) => !streamOf.has(id) || subscribed.has(streamOf.get(id)!))
      .sort((a, b) => a - b),
    muted_topics: state.muted_topics.map((pair) => pair.join('>')).sort(),
  };
}
