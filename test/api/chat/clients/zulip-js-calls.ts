/** Every resource call of the zulip-js package, with arguments that the Zulip server answers with success. */

/** The response to a call; every response has `result`. */
export type Reply = Readonly<Record<string, unknown>>;
type Call = (params?: unknown) => Promise<Reply>;

export interface ZulipClient {
  readonly config: { readonly apiKey: string };
  callEndpoint(endpoint: string, method?: string, params?: object): Promise<Reply>;
  callOnEachEvent(callback: (event: Reply) => void, eventTypes?: string[]): Promise<never>;
  readonly [resource: string]: unknown;
}

export type Zulip = (config: {
  realm: string;
  username: string;
  password?: string;
  apiKey?: string;
}) => Promise<ZulipClient>;

/** Objects that earlier calls have created, for later ones. */
export interface Made {
  readonly tag: string;
  streamId: number;
  messageId: number;
  queueId: string;
}

interface Step {
  /** By its name in the package: `messages.flags.add`. */
  readonly call: string;
  readonly params?: (made: Made) => unknown;
  readonly keep?: (reply: Reply, made: Made) => void;
}

const streamName = ({ tag }: Made) => `from js ${tag} & 1+1 [x] #é`;
const ofMessage =
  (more: object = {}) =>
  ({ messageId }: Made) => ({ message_id: messageId, ...more });
const SMILE = { emoji_name: 'smile' };

/** In the order in which a client would make them. */
export const STEPS: readonly Step[] = [
  { call: 'accounts.retrieve' },
  { call: 'server.settings' },
  { call: 'users.retrieve', params: () => ({ client_gravatar: true }) },
  {
    call: 'users.create',
    params: ({ tag }) => ({
      email: `js-${tag}@example.com`,
      password: 'plain words of nobody',
      full_name: `Js ${tag}`,
      short_name: tag,
    }),
  },
  { call: 'users.me.getProfile' },
  { call: 'users.me.alertWords.retrieve' },
  { call: 'users.me.subscriptions.add', params: (made) => ({ subscriptions: [{ name: streamName(made) }] }) },
  { call: 'streams.retrieve', params: () => ({ include_default: true }) },
  {
    call: 'streams.getStreamId',
    params: (made) => streamName(made),
    keep: (reply, made) => (made.streamId = reply['stream_id'] as number),
  },
  { call: 'streams.subscriptions.retrieve', params: () => ({ include_subscribers: true }) },
  {
    call: 'queues.register',
    params: () => ({ event_types: ['message'] }),
    keep: (reply, made) => (made.queueId = reply['queue_id'] as string),
  },
  {
    call: 'messages.send',
    params: (made) => ({ type: 'stream', to: streamName(made), subject: 'a & b', content: 'from **js**' }),
    keep: (reply, made) => (made.messageId = reply['id'] as number),
  },
  { call: 'events.retrieve', params: ({ queueId }) => ({ queue_id: queueId, last_event_id: -1, dont_block: false }) },
  { call: 'streams.topics.retrieve', params: ({ streamId }) => ({ stream_id: streamId }) },
  {
    call: 'messages.retrieve',
    params: (made) => ({
      anchor: made.messageId,
      num_before: 5,
      num_after: 0,
      narrow: [{ operator: 'stream', operand: streamName(made) }],
    }),
  },
  { call: 'messages.render', params: () => 'hello **world**' },
  { call: 'messages.getById', params: ofMessage() },
  { call: 'messages.flags.add', params: ({ messageId }) => ({ messages: [messageId], flag: 'starred' }) },
  { call: 'messages.flags.remove', params: ({ messageId }) => ({ messages: [messageId], flag: 'starred' }) },
  { call: 'users.me.pointer.update', params: ({ messageId }) => messageId },
  { call: 'users.me.pointer.retrieve' },
  { call: 'messages.update', params: ofMessage({ content: 'changed from js', subject: 'c & d' }) },
  { call: 'messages.getHistoryById', params: ofMessage() },
  { call: 'reactions.add', params: ofMessage(SMILE) },
  { call: 'reactions.remove', params: ofMessage(SMILE) },
  { call: 'reactions.add', params: ofMessage(SMILE) },
  { call: 'messages.deleteReactionById', params: ofMessage(SMILE) },
  { call: 'messages.deleteById', params: ofMessage() },
  { call: 'typing.send', params: () => ({ to: ['member@example.com'], op: 'start' }) },
  { call: 'typing.send', params: () => ({ to: ['member@example.com', 'other@example.com'], op: 'stop' }) },
  { call: 'emojis.retrieve' },
  { call: 'filters.retrieve' },
  { call: 'queues.deregister', params: ({ queueId }) => ({ queue_id: queueId }) },
  { call: 'users.me.subscriptions.remove', params: (made) => ({ subscriptions: JSON.stringify([streamName(made)]) }) },
  {
    call: 'users.me.subscriptions.add',
    params: (made) => ({ subscriptions: JSON.stringify([{ name: streamName(made) }]) }),
  },
  { call: 'streams.deleteById', params: ({ streamId }) => ({ stream_id: streamId }) },
];

/** Names of all calls that a client of the package has, except those that are not resources. */
export function callsOf(client: object, path = ''): string[] {
  return Object.entries(client).flatMap(([name, value]) => {
    if (path === '' && ['config', 'callEndpoint', 'callOnEachEvent'].includes(name)) return [];
    const full = path === '' ? name : `${path}.${name}`;
    return typeof value === 'function' ? [full] : callsOf(value as object, full);
  });
}

export function callNamed(client: ZulipClient, name: string): Call {
  return name.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], client) as Call;
}
