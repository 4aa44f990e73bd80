import { newUser, userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { startWorkers } from '../../../support/kernel/workers';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
let member: TestUser;
let other: TestUser;
let streamId: number;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  member = await userOf(node, 'member');
  other = await userOf(node, 'other');
  streamId = (await member.get('/get_stream_id', { stream: 'test' })).body['stream_id'];
  await startWorkers(cluster, 'chat-scheduled');
});
afterAll(() => cluster.close());

type Fields = Readonly<Record<string, unknown>>;

const soon = (seconds = 3600) => Math.floor(Date.now() / 1000) + seconds;

async function post(by: TestUser, message: Fields): Promise<number> {
  const { status, body } = await by.post('/messages', message);
  expect(status).toBe(200);
  return body['id'] as number;
}
const toStream = (content: string) => post(other, { type: 'stream', to: 'test', topic: 'plans', content });

async function remind(by: TestUser, messageId: number, more: Fields = {}): Promise<number> {
  const form = { message_id: messageId, scheduled_delivery_timestamp: soon(), ...more };
  const { status, body } = await by.post('/reminders', form);
  expect([status, body['msg']]).toEqual([200, '']);
  return body['reminder_id'] as number;
}
/** As if its time had come. A worker sees it at its next sweep. */
const comes = (id: number) =>
  node.kernel
    .mysql('kernel_mail')
    .where({ mailbox: 'chat-scheduled', address: String(id) })
    .update({ due_at: node.kernel.mysql.raw('NOW(3) - INTERVAL 1 HOUR') });
const listOf = async (by: TestUser) => (await by.get('/reminders')).body['reminders'] as object[];
const cancel = (by: TestUser, id: number) => by.del(`/reminders/${id}`);

const toldBy = async (by: TestUser) => {
  const { messages } = (
    await by.get('/messages', { anchor: 10_000_000_000_000_000, num_before: 50, num_after: 0, apply_markdown: false })
  ).body as { messages: { content: string; sender_full_name: string; type: string }[] };
  return messages.filter(({ sender_full_name: name }) => name === 'Notification Bot').map(({ content }) => content);
};

/** As if it had been asked for so many times. */
const repeat = (id: number, times: number) =>
  node.kernel.mysql.raw(
    `INSERT INTO chat_scheduled_messages (${COLUMNS}) SELECT ${COLUMNS} FROM chat_scheduled_messages ` +
      `JOIN (${Array.from({ length: times }, (_, at) => `SELECT ${at}`).join(' UNION ')}) copies WHERE id = ?`,
    [id],
  );
const COLUMNS =
  'realm_id, user_id, message_id, note, type, recipients, topic, content, rendered, client, is_read_by_sender, due_at';

describe('Reminders', () => {
  test('A reminder is listed with the message it is of, and cancelled', async () => {
    const id = await toStream('dinner at `eight`');
    const at = soon();
    const reminder = await remind(member, id, { scheduled_delivery_timestamp: at, note: '\nbring wine\n' });
    const [shown] = (await listOf(member)) as [{ content: string; rendered_content: string }];
    expect(shown).toMatchObject({
      reminder_id: reminder,
      type: 'private',
      to: [member.id],
      scheduled_delivery_timestamp: at,
      failed: false,
      reminder_target_message_id: id,
    });
    expect(shown.content).toBe(
      'You requested a reminder for the following message. Note:\n\n> bring wine\n\n' +
        `@_**Ola Other|${other.id}** [said](/#narrow/stream/${streamId}-test/topic/plans/near/${id}) in **#test > plans**:\n` +
        '```quote\ndinner at `eight`\n```',
    );
    expect(shown.rendered_content).toContain('<blockquote>');
    expect((await cancel(member, reminder)).status).toBe(200);
    expect(await listOf(member)).toEqual([]);
  });

  test("Adding and cancelling are events for its owner's clients alone", async () => {
    const id = await toStream('soon');
    const [heard, elsewhere] = [await member.listen(['reminders']), await other.listen(['reminders'])];
    const reminder = await remind(member, id);
    await cancel(member, reminder);
    expect(await heard()).toMatchObject([
      { type: 'reminders', op: 'add', reminders: [{ reminder_id: reminder, reminder_target_message_id: id }] },
      { type: 'reminders', op: 'remove', reminder_id: reminder },
    ]);
    expect(await elsewhere()).toEqual([]);
  });

  test('At its time the notification bot sends it, with the words that the message has by then', async () => {
    const id = await post(other, { type: 'private', to: [member.id], content: 'first ```words```' });
    const heard = await member.listen(['reminders']);
    const reminder = await remind(member, id, { note: 'two\nlines' });
    await other.patch(`/messages/${id}`, { content: 'last ```words```' });
    await comes(reminder);
    const told = await until(
      () => toldBy(member),
      (all) => all.some((content) => content.includes('> two\n> lines')),
    );
    const [content, ...more] = told.filter((each) => each.includes('> two\n> lines'));
    expect(more).toEqual([]);
    expect(content).toContain('You requested a reminder for the following direct message.');
    expect(content).toContain(`/#narrow/pm-with/${other.id}-pm/near/${id}`);
    expect(content).toContain('````quote\nlast ```words```\n````');
    expect(await listOf(member)).toEqual([]);
    expect((await heard()).map(({ op }) => op)).toEqual(['add', 'remove']);
  });

  test('A reminder of a message that was deleted comes without its words', async () => {
    const id = await toStream('a secret');
    const reminder = await remind(member, id, { note: 'why' });
    const owner = await userOf(node, 'owner');
    expect((await owner.del(`/messages/${id}`)).status).toBe(200);
    await comes(reminder);
    const told = await until(
      () => toldBy(member),
      (all) => all.some((content) => content.includes('> why')),
    );
    expect(told.filter((content) => content.includes('> why'))).toEqual([
      'You requested a reminder for a message that was deleted, or that you can no longer see. Note:\n\n> why',
    ]);
  });

  test('A message that one may not see, and a note that is too long, are refused', async () => {
    const secret = await post(other, { type: 'private', to: [other.id], content: 'to myself' });
    const at = soon();
    const refused = async (form: Fields) => {
      const { status, body } = await member.post('/reminders', { scheduled_delivery_timestamp: at, ...form });
      return [status, body['msg']];
    };
    expect(await refused({ message_id: secret })).toEqual([400, 'Invalid message(s)']);
    expect(await refused({ message_id: 987_654_321 })).toEqual([400, 'Invalid message(s)']);
    const id = await toStream('long');
    expect(await refused({ message_id: id, note: 'x'.repeat(1001) })).toEqual([
      400,
      'Maximum reminder note length: 1000 characters',
    ]);
    const past = { message_id: id, scheduled_delivery_timestamp: soon(-1) };
    expect(await refused(past)).toEqual([400, 'Scheduled delivery time must be in the future.']);
    expect(await listOf(member)).toEqual([]);
  });

  test('A reminder is no scheduled message, and one of somebody else does not exist', async () => {
    const id = await toStream('mine');
    const reminder = await remind(member, id);
    expect((await member.get('/scheduled_messages')).body['scheduled_messages']).toEqual([]);
    const answers = [
      await other.del(`/reminders/${reminder}`),
      await member.del(`/scheduled_messages/${reminder}`),
      await member.patch(`/scheduled_messages/${reminder}`, { content: 'x' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(answers[0]!.body['msg']).toBe('Reminder does not exist');
    await cancel(member, reminder);
  });

  test('A long message is quoted as far as a message may be long, and 100 reminders are enough', async () => {
    const forgetful = await newUser(node, 'forgetful');
    const id = await post(other, { type: 'private', to: [forgetful.id], content: 'ä'.repeat(5000) });
    await repeat(await remind(forgetful, id), 99);
    const [{ content }] = (await listOf(forgetful)) as [{ content: string }];
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(10_000);
    expect(content).toMatch(/\n\[message truncated\]\n```$/);
    const short = await post(other, { type: 'private', to: [forgetful.id], content: 'short' });
    const { body } = await forgetful.post('/reminders', { message_id: short, scheduled_delivery_timestamp: soon() });
    expect(body['msg']).toBe('You have too many reminders (limit: 100, 1 MiB in all)');
  });
});
