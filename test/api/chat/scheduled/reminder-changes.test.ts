import { userOf, type TestUser } from '../../../support/chat/chat';
import { makeDue } from '../../../support/chat/scheduled';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { startWorkers } from '../../../support/kernel/workers';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
let member: TestUser;
let other: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  [member, other] = [await userOf(node, 'member'), await userOf(node, 'other')];
  await startWorkers(cluster, 'chat-scheduled');
});
afterAll(() => cluster.close());

type Fields = Readonly<Record<string, unknown>>;
interface Listed {
  readonly reminder_id: number;
  readonly scheduled_delivery_timestamp: number;
  readonly content: string;
  readonly note: string;
}

const soon = (seconds = 3600) => Math.floor(Date.now() / 1000) + seconds;

async function toStream(content: string): Promise<number> {
  const { body } = await other.post('/messages', { type: 'stream', to: 'test', topic: 'plans', content });
  return body['id'] as number;
}
async function remind(messageId: number, more: Fields = {}): Promise<number> {
  const form = { message_id: messageId, scheduled_delivery_timestamp: soon(), ...more };
  const { status, body } = await member.post('/reminders', form);
  expect([status, body['msg']]).toEqual([200, '']);
  return body['reminder_id'] as number;
}
async function change(id: number, fields: Fields): Promise<void> {
  const { status, body } = await member.patch(`/reminders/${id}`, fields);
  expect([status, body['msg']]).toEqual([200, '']);
}
const listed = async (id: number): Promise<Listed | undefined> =>
  ((await member.get('/reminders')).body['reminders'] as Listed[]).find((each) => each.reminder_id === id);
const toldBy = async (by: TestUser): Promise<string[]> => {
  const query = { anchor: 10_000_000_000_000_000, num_before: 50, num_after: 0, apply_markdown: false };
  const { messages } = (await by.get('/messages', query)).body as {
    messages: { content: string; sender_full_name: string }[];
  };
  return messages.filter(({ sender_full_name: name }) => name === 'Notification Bot').map(({ content }) => content);
};
const told = async (words: string): Promise<string[]> =>
  (
    await until(
      () => toldBy(member),
      (all) => all.some((content) => content.includes(words)),
    )
  ).filter((content) => content.includes(words));
const cancel = (id: number) => member.del(`/reminders/${id}`);

describe('Changing a reminder', () => {
  test('Time and note are changed, each alone or together, and it comes once, with the note that it has by then', async () => {
    const id = await remind(await toStream('dinner at eight'), { note: 'bring wine' });
    const [at, later] = [soon(7200), soon(10_800)];
    await change(id, { scheduled_delivery_timestamp: at });
    expect(await listed(id)).toMatchObject({ scheduled_delivery_timestamp: at, note: 'bring wine' });
    await change(id, { note: '\nbring bread\n' });
    const changed = await listed(id);
    expect(changed).toMatchObject({ scheduled_delivery_timestamp: at, note: 'bring bread' });
    expect(changed!.content).toContain('> bring bread\n');
    await change(id, { scheduled_delivery_timestamp: later, note: 'bring cheese' });
    expect(await listed(id)).toMatchObject({ scheduled_delivery_timestamp: later, note: 'bring cheese' });
    await makeDue(node.kernel);
    await until(async () => (await listed(id)) === undefined);
    expect(await told('dinner at eight')).toEqual([expect.stringContaining('> bring cheese\n')]);
    // The mail of the earlier times sends nothing.
    await until(async () => (await node.kernel.mysql('kernel_mail').where({ mailbox: 'chat-scheduled' })).length === 0);
    expect(await told('dinner at eight')).toHaveLength(1);
  });

  test('Two changes at the same moment, of the time and of the note, are both kept', async () => {
    const id = await remind(await toStream('both'), { note: 'old' });
    const at = soon(7200);
    await Promise.all([change(id, { scheduled_delivery_timestamp: at }), change(id, { note: 'new' })]);
    expect(await listed(id)).toMatchObject({ scheduled_delivery_timestamp: at, note: 'new' });
    await cancel(id);
  });

  test('Clients see it go and come, the same change again changes nothing, and a note is taken away', async () => {
    const id = await remind(await toStream('events'), { note: 'first' });
    const [heard, elsewhere] = [await member.listen(['reminders']), await other.listen(['reminders'])];
    const wanted = { scheduled_delivery_timestamp: soon(7200), note: 'second' };
    for (let tries = 1; tries <= 3; tries += 1) await change(id, wanted);
    await change(id, { note: '' });
    const shown = { reminder_id: id, scheduled_delivery_timestamp: wanted.scheduled_delivery_timestamp };
    expect(await heard()).toMatchObject([
      { type: 'reminders', op: 'remove', reminder_id: id },
      { type: 'reminders', op: 'add', reminders: [{ ...shown, note: 'second' }] },
      { type: 'reminders', op: 'remove', reminder_id: id },
      { type: 'reminders', op: 'add', reminders: [{ ...shown, note: '' }] },
    ]);
    expect(await elsewhere()).toEqual([]);
    expect((await listed(id))!.content).not.toContain('Note:');
    await cancel(id);
  });

  test('One of a message that was deleted meanwhile is changed, without the words of the message', async () => {
    const messageId = await toStream('a secret');
    const id = await remind(messageId);
    expect((await (await userOf(node, 'owner')).del(`/messages/${messageId}`)).status).toBe(200);
    await change(id, { note: 'what was it?' });
    const { content } = (await listed(id))!;
    expect(content).toContain('deleted');
    expect(content).not.toContain('a secret');
    await cancel(id);
  });

  test('No change, a time that is over, a note that is too long and one of somebody else are refused', async () => {
    const id = await remind(await toStream('mine'));
    const refused = async (by: TestUser, fields: Fields) => {
      const { status, body } = await by.patch(`/reminders/${id}`, fields);
      return [status, body['msg']];
    };
    expect(await refused(member, {})).toEqual([400, 'Nothing to change']);
    const past = { scheduled_delivery_timestamp: soon(-1) };
    expect(await refused(member, past)).toEqual([400, 'Scheduled delivery time must be in the future.']);
    const long = { note: 'x'.repeat(1001) };
    expect(await refused(member, long)).toEqual([400, 'Maximum reminder note length: 1000 characters']);
    expect(await refused(other, { note: 'x' })).toEqual([404, 'Reminder does not exist']);
    await cancel(id);
    expect(await refused(member, { note: 'x' })).toEqual([404, 'Reminder does not exist']);
  });
});

describe('The language of reminders and failures', () => {
  afterAll(() => member.patch('/settings/display', { default_language: 'en' }));

  test("is the reader's own, else the organisation's", async () => {
    const owner = await userOf(node, 'owner');
    await owner.patch('/realm', { default_language: 'de' });
    const inGerman = await remind(await toStream('Abendessen'));
    expect((await listed(inGerman))!.content).toMatch(/^Sie wollten an diese Nachricht erinnert werden\./);
    await member.patch('/settings/display', { default_language: 'en' });
    await makeDue(node.kernel);
    expect(await told('Abendessen')).toEqual([expect.stringMatching(/^You requested a reminder/)]);
    await owner.patch('/realm', { default_language: 'en' });

    await member.patch('/settings/display', { default_language: 'de' });
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'Kino' }] });
    await member.post('/users/me/subscriptions', { subscriptions: [{ name: 'Kino' }] });
    const kino = (await member.get('/get_stream_id', { stream: 'Kino' })).body['stream_id'] as number;
    const message = { type: 'stream', to: kino, topic: 'Film', content: 'heute', scheduled_delivery_timestamp: soon() };
    const id = (await member.post('/scheduled_messages', message)).body['scheduled_message_id'] as number;
    await owner.patch(`/streams/${kino}`, { is_announcement_only: true });
    await makeDue(node.kernel);
    expect(await told('verschickt werden sollte')).toEqual([
      expect.stringContaining('> In diesen Stream schreibt nur die Verwaltung der Organisation.'),
    ]);
    const {
      scheduled_messages: [failed],
    } = (await member.get('/scheduled_messages')).body as {
      scheduled_messages: [object];
    };
    expect(failed).toMatchObject({
      scheduled_message_id: id,
      failed: true,
      failure_message: 'Only organization administrators can send to this stream.',
    });
  });
});
