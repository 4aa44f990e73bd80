import { forgetOldMessages } from '../../../../src/chat/commands/messages/forget-old-messages';
import { userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { upload } from '../organisation/export-support';

const NEVER = new AbortController().signal;
const DAY_SECONDS = 86_400;
let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member] = [await userOf(node, 'owner'), await userOf(node, 'member')];
});
afterAll(() => cluster.close());

/** When the next check of every organisation is due. */
async function forget(): Promise<void> {
  await node.kernel.mysql('chat_realms').update({ retention_due_at: new Date(0) });
  await forgetOldMessages(node.kernel, NEVER);
}

async function say(by: TestUser, content: string, more: object = {}): Promise<number> {
  const { status, body, text } = await by.post('/messages', {
    type: 'stream',
    to: 'test',
    topic: 'old',
    content,
    ...more,
  });
  if (status !== 200) throw new Error(text);
  return body.id;
}

/** As if it had been sent this many days earlier. */
async function age(id: number, days: number): Promise<void> {
  const { mysql } = node.kernel;
  await mysql('chat_messages')
    .where({ realm_id: 1, id })
    .decrement('sent_at', days * DAY_SECONDS);
}

async function ageFile(uri: string, days: number): Promise<void> {
  const { mysql } = node.kernel;
  const created = mysql.raw('created_at - INTERVAL ? DAY', [days]);
  await mysql('chat_uploads')
    .where({ token: uri.split('/').at(-2) })
    .update({ created_at: created });
}

const isThere = async (id: number): Promise<boolean> => (await owner.get(`/messages/${id}`)).status === 200;
const rowsOf = async (table: string, id: number): Promise<number> =>
  ((await node.kernel.mysql(table).where({ message_id: id })) as unknown[]).length;
const keep = (days: number | 'null') => owner.patch('/realm', { message_retention_days: days });

test('An organisation without a retention period keeps its messages for ever', async () => {
  const id = await say(member, 'from long ago');
  await age(id, 5000);
  await forget();
  expect(await isThere(id)).toBe(true);
});

test('Messages beyond the retention period are deleted with their flags and reactions, others stay', async () => {
  await keep(30);
  const old = await say(member, 'too old');
  const young = await say(member, 'young enough');
  await owner.post(`/messages/${old}/reactions`, { emoji_name: 'smile' });
  await owner.post('/messages/flags', { messages: [old], op: 'add', flag: 'starred' });
  await owner.post('/messages/flags', { messages: [old], op: 'add', flag: 'read' });
  await age(old, 31);
  await age(young, 29);
  await forget();
  expect([await isThere(old), await isThere(young)]).toEqual([false, true]);
  for (const table of ['chat_reactions', 'chat_flags', 'chat_read_exceptions']) {
    expect([table, await rowsOf(table, old)]).toEqual([table, 0]);
  }
});

test('A message with a clock that was ahead does not protect older messages after it', async () => {
  await keep(30);
  const ahead = await say(member, 'sent by a node whose clock was ahead');
  const old = await say(member, 'too old');
  await age(old, 31);
  await forget();
  expect([await isThere(ahead), await isThere(old)]).toEqual([true, false]);
});

test('A file is deleted with the last message that links it', async () => {
  await keep(30);
  const [lone, shared, unposted] = await Promise.all(
    ['lone', 'shared', 'unposted'].map((name) => upload(node, `${name}.txt`, name)),
  );
  const old = await say(member, `[lone](${lone}) [shared](${shared})`);
  await say(member, `again: [shared](${shared})`);
  await age(old, 31);
  for (const uri of [lone, shared, unposted]) await ageFile(uri!, 31);
  await forget();
  const names = (await member.get('/attachments')).body.attachments.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['shared.txt']);
  const left = (await node.kernel.mysql('chat_upload_chunks').count({ rows: '*' })) as [{ rows: number }];
  expect(left).toEqual([{ rows: 1 }]);
});

test('More expired messages than fit in one transaction are all deleted', async () => {
  await keep(30);
  const ids = await Promise.all(Array.from({ length: 450 }, (_, at) => say(member, `one of many ${at}`)));
  await node.kernel
    .mysql('chat_messages')
    .whereIn('id', ids)
    .decrement('sent_at', 31 * DAY_SECONDS);
  await forget();
  expect(await node.kernel.mysql('chat_messages').whereIn('id', ids)).toEqual([]);
});

test('An organisation that removes its retention period loses no more messages', async () => {
  await keep('null');
  const id = await say(member, 'kept again');
  await age(id, 5000);
  await forget();
  expect(await isThere(id)).toBe(true);
});

test('Retention runs hourly with a period, daily without one, and at once after a change of settings', async () => {
  const { mysql, clock } = node.kernel;
  const waits = async () => {
    const rows = (await mysql('chat_realms').where({ id: 1 }).select('retention_due_at')) as {
      retention_due_at: Date;
    }[];
    return Math.round((rows[0]!.retention_due_at.getTime() - clock.now().getTime()) / 3_600_000);
  };
  await forget();
  expect(await waits()).toBe(24);
  await keep(30);
  expect(await waits()).toBeLessThan(0);
  await forgetOldMessages(node.kernel, NEVER);
  expect(await waits()).toBe(1);
  const old = await say(member, 'not looked at yet');
  await age(old, 31);
  await forgetOldMessages(node.kernel, NEVER);
  expect(await isThere(old)).toBe(true);
  await forget();
  expect(await isThere(old)).toBe(false);
});
