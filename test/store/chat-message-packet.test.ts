/** A packet of messages is refused if a stream changed meanwhile: only its current subscribers may get them. */
import { prepareMessage } from '../../src/chat/commands/messages/send-message';
import { getRealm } from '../../src/chat/queries/organisation/find-realm';
import { StreamChanged, writeMessages } from '../../src/chat/store/messages/message-packet';
import * as users from '../../src/chat/store/users/users';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { chatOf } from '../support/kernel/parts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
});
afterAll(() => cluster.close());

test('A packet with one message for an outdated version of its stream is refused as a whole, in any order', async () => {
  const { kernel } = await cluster.node();
  const { id: realmId } = await getRealm(chatOf(kernel));
  const { id } = (await kernel.mysql('chat_users').where({ email: 'member@example.com' }).first('id')) as {
    id: number;
  };
  const by = (await users.byId(kernel.mysql, realmId, id))!;
  const draft = { type: 'stream', to: 'test', topic: 'packets', content: 'Hi', client: 'test' };
  const { message: fresh } = await prepareMessage(chatOf(kernel), by, draft);
  const stale = { ...fresh, stream: { id: fresh.stream!.id, version: fresh.stream!.version + 1 } };
  await writeMessages(kernel, realmId, [fresh]);
  for (const batch of [[stale], [stale, fresh], [fresh, stale]]) {
    await expect(writeMessages(kernel, realmId, batch)).rejects.toThrow(StreamChanged);
  }
  expect(await kernel.mysql('chat_messages').where({ topic: 'packets' })).toHaveLength(1);
});
