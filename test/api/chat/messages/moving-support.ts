/** Shared by the tests of moving messages: the people of a demo organisation, and short calls. */
import { userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster } from '../../../support/kernel/cluster';

export const quietly = { send_notification_to_new_thread: false };
export const ids = (messages: readonly { id: number }[]) => messages.map(({ id }) => id);
export const move = (by: TestUser, id: number, form: Readonly<Record<string, unknown>>) =>
  by.patch(`/messages/${id}`, form);

export async function openMoving() {
  const cluster = await openCluster({ RATE_LIMIT: 'off', LOG_LEVEL: 'error' });
  await cluster.seed();
  const node = await cluster.node();
  const [owner, member, other, guest] = (await Promise.all(
    ['owner', 'member', 'other', 'guest'].map((name) => userOf(node, name)),
  )) as [TestUser, TestUser, TestUser, TestUser];
  const { mysql } = node.kernel;
  const idOf = async (stream: string): Promise<number> =>
    (await mysql('chat_streams').where({ name: stream }).first('id')).id as number;
  return {
    cluster,
    node,
    mysql,
    owner,
    member,
    other,
    guest,
    idOf,
    send: async (to: string, topic: string, by = member): Promise<number> => {
      const { body, text } = await by.post('/messages', { type: 'stream', to, topic, content: 'hello' });
      if (body.result !== 'success') throw new Error(text);
      return body.id;
    },
    /** Subscribes these people to a stream, which is created if there is none, and returns its id. */
    open: async (name: string, people: readonly TestUser[], more: object = {}): Promise<number> => {
      const principals = people.map(({ email }) => email);
      await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals, ...more });
      return idOf(name);
    },
    // oxlint-disable-next-line typescript/no-explicit-any -- messages as the server sends them
    read: async (by: TestUser, stream: string, topic: string): Promise<any[]> => {
      const narrow = [
        ['stream', stream],
        ['topic', topic],
      ];
      return (await by.get('/messages', { anchor: 0, num_before: 0, num_after: 1000, narrow })).body.messages ?? [];
    },
  };
}

export type Moving = Awaited<ReturnType<typeof openMoving>>;
