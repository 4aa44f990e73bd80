import { callerOf, type Caller } from '../../../support/chat/people';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import type { Answer } from '../../../support/http/client';

let cluster: Cluster;
let nodes: readonly TestNode[];

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  nodes = [await cluster.node(), await cluster.node()];
});
afterAll(() => cluster.close());

const keyed = async (key: string, email: string): Promise<Caller[]> =>
  Promise.all(
    nodes.map(async (node) => callerOf(node, email, { ...(await node.basic(email)), 'Idempotency-Key': key })),
  );
const idsOf = (answers: readonly Answer[], name: string) => [
  ...new Set(answers.map(({ status, body }) => [status, body[name] as number].join())),
];

test('A repeated request with an Idempotency-Key schedules once', async () => {
  const callers = await keyed('once', 'member@example.com');
  const [own] = callers;
  const form = {
    type: 'direct',
    to: `[${own!.id}]`,
    content: 'at its time',
    scheduled_delivery_timestamp: String(Math.floor(Date.now() / 1000) + 3600),
  };
  const answers = await Promise.all([...callers, ...callers].map((by) => by.post('/scheduled_messages', form)));
  answers.push(await own!.post('/scheduled_messages', { ...form, content: 'changes nothing' }));
  const [only, ...more] = idsOf(answers, 'scheduled_message_id');
  expect([only, more]).toEqual([expect.stringMatching(/^200,\d+$/), []]);
  const list = async () => (await own!.get('/scheduled_messages')).body.scheduled_messages as object[];
  expect(await list()).toMatchObject([{ content: 'at its time' }]);

  // Another key, another person and a request without a key are something else.
  const [another] = await keyed('twice', 'member@example.com');
  const [other] = await keyed('once', 'other@example.com');
  const plain = await callerOf(nodes[0]!, 'member@example.com');
  for (const by of [another!, other!, plain, plain]) await by.post('/scheduled_messages', form);
  expect(await list()).toHaveLength(4);
  expect((await other!.get('/scheduled_messages')).body.scheduled_messages).toHaveLength(1);

  // What does not wait any more is forgotten.
  await own!.del(`/scheduled_messages/${only!.slice(4)}`);
  expect(idsOf([await own!.post('/scheduled_messages', form)], 'scheduled_message_id')).not.toEqual([only]);
  expect(await list()).toHaveLength(4);
});

test('A repeated request with an Idempotency-Key reminds once', async () => {
  const callers = await keyed('once', 'member@example.com');
  const [own] = callers;
  const sent = await own!.post('/messages', { type: 'private', to: own!.email, content: 'remember me' });
  const form = {
    message_id: String(sent.body.id),
    scheduled_delivery_timestamp: String(Math.floor(Date.now() / 1000) + 3600),
  };
  const answers = await Promise.all([...callers, ...callers].map((by) => by.post('/reminders', form)));
  expect(idsOf(answers, 'reminder_id')).toEqual([expect.stringMatching(/^200,\d+$/)]);
  expect((await own!.get('/reminders')).body.reminders).toHaveLength(1);
});
