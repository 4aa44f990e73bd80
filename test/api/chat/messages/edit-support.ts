/** Shared by the tests of changing messages: two nodes, users with their keys and ids, and short calls. */
import { openCluster, type Environment, type TestNode } from '../../../support/kernel/cluster';

export type Fields = Record<string, string>;
type Event = Record<string, unknown>;

const NAMES = ['owner', 'member', 'other', 'guest'] as const;
export type Name = (typeof NAMES)[number];

export async function openEditing(more: Environment = {}) {
  const cluster = await openCluster({
    RATE_LIMIT: 'off',
    HEARTBEAT_MIN_MS: '60000',
    HEARTBEAT_MAX_MS: '60000',
    ...more,
  });
  await cluster.seed();
  const [one, two] = [await cluster.node(), await cluster.node()];
  const { mysql } = one.kernel;
  const keys = {} as Record<Name, Fields>;
  const ids = {} as Record<Name, number>;
  for (const name of NAMES) {
    keys[name] = await one.basic(`${name}@example.com`);
    ids[name] = (await one.call('/api/v1/users/me', { headers: keys[name] })).body.user_id;
  }
  const call = (who: Name, path: string, ask: object = {}, at: TestNode = one) =>
    at.call(`/api/v1/${path}`, { headers: keys[who], ...ask });
  const register = async (who: Name, types: readonly string[], at?: TestNode): Promise<string> =>
    (await call(who, 'register', { form: { event_types: JSON.stringify(types), apply_markdown: 'true' } }, at)).body
      .queue_id;
  const poll = async (who: Name, queue: string, last = -1, at?: TestNode): Promise<Event[]> =>
    (await call(who, 'events', { query: { queue_id: queue, last_event_id: String(last) } }, at)).body.events;
  return {
    cluster,
    one,
    two,
    mysql,
    keys,
    ids,
    call,
    register,
    poll,
    send: async (who: Name, content: string, form: Fields = {}, at?: TestNode): Promise<number> =>
      (await call(who, 'messages', { form: { type: 'stream', to: 'test', topic: 'first', content, ...form } }, at)).body
        .id,
    edit: (who: Name, id: number, form: Fields, at?: TestNode) =>
      call(who, `messages/${id}`, { method: 'PATCH', form }, at),
    rowOf: async (id: number) => (await mysql('chat_messages').where({ id }).first()) as Record<string, unknown>,
    async set(settings: object) {
      await mysql('chat_realms').update({ settings: JSON.stringify(settings) });
    },
    async streamId(name: string): Promise<number> {
      return ((await mysql('chat_streams').where({ name }).first('id')) as { id: number }).id;
    },
    /** The only event of this type that the user receives because of an action. */
    async eventOf(who: Name, type: string, act: () => Promise<unknown>): Promise<Event> {
      const queue = await register(who, [type]);
      await act();
      const events = await poll(who, queue);
      expect(events).toHaveLength(1);
      return events[0]!;
    },
  };
}

export type Editing = Awaited<ReturnType<typeof openEditing>>;

export const refusal = (msg: string, code?: string) => ({
  status: 400,
  body: { result: 'error', msg, ...(code === undefined ? {} : { code }) },
});
