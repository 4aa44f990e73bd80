import { callerOf, type Caller } from '../../../support/chat/people';
import { talker, type Talker } from '../../../support/chat/room';
import { openMailedCluster, openPage, tokenIn, type MailedCluster } from '../../../support/chat/mailed';
import { startWorkers } from '../../../support/kernel/workers';

let all: MailedCluster;
let owner: Talker;
let reader: Talker;
let asReader: Caller;
let streamId: number;

beforeAll(async () => {
  all = await openMailedCluster({ MISSED_MAIL_MS: '1000' });
  owner = await talker(all.node, 'owner@example.com');
  reader = await talker(all.node, 'other@example.com');
  asReader = await callerOf(all.node, reader.email);
  streamId = (await reader.get('/get_stream_id', { stream: 'test' })).body.stream_id as number;
  await startWorkers(all.cluster, 'chat-missed-messages');
});
afterAll(() => all.close());

const mailed = () => all.server.taken.filter(({ to }) => to.includes(reader.email)).map(({ text }) => text);
/** What is mailed of these messages, by their topics. */
async function topicsMailed(...topics: string[]): Promise<string[]> {
  const count = mailed().length;
  for (const topic of topics) await owner.toStream('test', topic, `about ${topic}`);
  await all.settled();
  const texts = mailed().slice(count).join('\n');
  return topics.filter((topic) => texts.includes(`about ${topic}`));
}
const set = async (form: Record<string, string>) =>
  expect((await asReader.patch('/settings/notifications', form)).status).toBe(200);
const property = async (name: string, value: boolean) => {
  const subscription_data = JSON.stringify([{ stream_id: streamId, property: name, value }]);
  expect((await asReader.post('/users/me/subscriptions/properties', { subscription_data })).status).toBe(200);
};
const policy = (topic: string, value: number) =>
  asReader.post('/user_topics', { stream_id: String(streamId), topic, visibility_policy: String(value) });

test('A followed topic is mailed, with a subject of its own, unless its reader turns that off', async () => {
  await policy('followed', 3);
  expect(await topicsMailed('followed', 'any')).toEqual(['followed']);
  const { header } = all.server.taken.at(-1)!;
  expect(header).toContain('Subject: New messages in #test > followed');
  await set({ enable_followed_topic_email_notifications: 'false' });
  expect(await topicsMailed('followed')).toEqual([]);
  await set({ enable_followed_topic_email_notifications: 'true' });
});

test('A stream is mailed by its own setting, or else by the general one, but not what is muted', async () => {
  await policy('muted', 1);
  await property('email_notifications', true);
  expect(await topicsMailed('chosen', 'muted')).toEqual(['chosen']);
  await property('email_notifications', false);
  await set({ enable_stream_email_notifications: 'true' });
  expect(await topicsMailed('not chosen')).toEqual([]);
  await all.node.kernel.mysql('chat_subscriptions').update({ notify_email: null });
  expect(await topicsMailed('general', 'muted')).toEqual(['general']);
  await property('is_muted', true);
  expect(await topicsMailed('in a muted stream', 'followed')).toEqual(['followed']);
  await property('is_muted', false);
  await set({ enable_stream_email_notifications: 'false' });
});

test('What a muted user writes is not mailed', async () => {
  await property('email_notifications', true);
  expect((await asReader.post(`/users/me/muted_users/${owner.userId}`)).status).toBe(200);
  await policy('theirs', 3);
  const count = mailed().length;
  await owner.toPeople([reader.email], 'privately');
  expect(await topicsMailed('chosen', 'theirs')).toEqual([]);
  expect(mailed()).toHaveLength(count);
  await asReader.del(`/users/me/muted_users/${owner.userId}`);
  expect(await topicsMailed('chosen')).toEqual(['chosen']);
  await property('email_notifications', false);
});

test('Mail about streams does not depend on mail about private messages', async () => {
  await set({ enable_offline_email_notifications: 'false' });
  await property('email_notifications', true);
  const count = mailed().length;
  await owner.toPeople([reader.email], 'privately');
  expect(await topicsMailed('still wanted')).toEqual(['still wanted']);
  expect(mailed()).toHaveLength(count + 1);
  await set({ enable_offline_email_notifications: 'true' });
});

test('Unsubscribing ends mail about streams and followed topics too', async () => {
  expect(await topicsMailed('one more')).toEqual(['one more']);
  const token = tokenIn(all.server.taken.at(-1)!, 'unsubscribe');
  await openPage(all.node, `/unsubscribe/${token}`, { 'List-Unsubscribe': 'One-Click' });
  await owner.toPeople([reader.email], 'about nothing');
  expect(await topicsMailed('one more', 'followed')).toEqual([]);
  const { subscriptions } = (await reader.get('/users/me/subscriptions')).body as {
    subscriptions: { stream_id: number; email_notifications: boolean }[];
  };
  expect(subscriptions.find((each) => each.stream_id === streamId)).toMatchObject({ email_notifications: false });
});
