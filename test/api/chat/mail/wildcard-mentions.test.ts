import { openMailedCluster, type MailedCluster } from '../../../support/chat/mailed';
import { callerOf } from '../../../support/chat/people';
import { talker, type Talker } from '../../../support/chat/room';
import { startWorkers } from '../../../support/kernel/workers';

/** Those who have not left the stream are more than a page of them. */
const CROWD = 900;

let all: MailedCluster;
let owner: Talker;
let member: Talker;
let other: Talker;

beforeAll(async () => {
  all = await openMailedCluster({ MISSED_MAIL_MS: '1500' });
  owner = await talker(all.node, 'owner@example.com');
  member = await talker(all.node, 'member@example.com');
  other = await talker(all.node, 'other@example.com');
  await startWorkers(all.cluster, 'chat-missed-messages');
});
afterAll(() => all.close());

const mysql = () => all.node.kernel.mysql;
const sentTo = (address: string) => all.server.taken.filter(({ to }) => to.includes(address));
const settings = async (who: Talker, form: Record<string, string>) =>
  (await callerOf(all.node, who.email)).patch('/settings/notifications', form);
const streamId = async () => (await member.get('/get_stream_id', { stream: 'test' })).body.stream_id as number;
const subscription = async (who: Talker, property: string, value: boolean) =>
  who.post('/users/me/subscriptions/properties', {
    subscription_data: JSON.stringify([{ stream_id: await streamId(), property, value }]),
  });
const policy = async (who: Talker, topic: string, visibility: number) =>
  who.post('/user_topics', {
    stream_id: String(await streamId()),
    topic,
    visibility_policy: String(visibility),
  });

/** Who is mailed, of those who are in the stream. */
async function mailed(topic: string, content = '@**all** come'): Promise<string[]> {
  await owner.toStream('test', topic, content);
  await all.settled();
  const people = [owner, member, other];
  return people
    .filter(({ email }) => sentTo(email).some(({ header }) => header.includes(`#test > ${topic}`)))
    .map(({ email }) => email);
}
const [MEMBER, OTHER] = ['member@example.com', 'other@example.com'];

test('A missed mention of everybody is mailed as one by name, to all but its author', async () => {
  expect(await mailed('to all')).toEqual([MEMBER, OTHER]);
  expect(sentTo(MEMBER).at(-1)!.header).toContain('Subject: You were mentioned in #test > to all');
  expect(await mailed('to everyone', '@**everyone** come')).toEqual([MEMBER, OTHER]);
  expect(await mailed('to nobody', '@_**all** need not come')).toEqual([]);
  // Who is mentioned by name as well gets one mail.
  const count = sentTo(MEMBER).length;
  expect(await mailed('to both', '@**all** and @**Max Member**')).toEqual([MEMBER, OTHER]);
  expect(sentTo(MEMBER)).toHaveLength(count + 1);
});

test('It follows the settings of the person, of the stream and of the topic', async () => {
  await settings(member, { wildcard_mentions_notify: 'false' });
  expect(await mailed('not generally')).toEqual([OTHER]);
  await subscription(member, 'wildcard_mentions_notify', true);
  expect(await mailed('but in this stream')).toEqual([MEMBER, OTHER]);
  await subscription(member, 'wildcard_mentions_notify', false);
  await settings(member, { wildcard_mentions_notify: 'true' });
  expect(await mailed('not in this stream')).toEqual([OTHER]);
  await owner.toStream('test', 'followed');
  await policy(member, 'followed', 3);
  expect(await mailed('followed')).toEqual([MEMBER, OTHER]);
  await subscription(member, 'wildcard_mentions_notify', true);

  await subscription(member, 'is_muted', true);
  expect(await mailed('in a muted stream')).toEqual([OTHER]);
  await subscription(member, 'is_muted', false);
  await owner.toStream('test', 'a muted topic');
  await policy(member, 'a muted topic', 1);
  expect(await mailed('a muted topic')).toEqual([OTHER]);
  await settings(other, { enable_offline_email_notifications: 'false' });
  expect(await mailed('without mail')).toEqual([MEMBER]);
  await settings(other, { enable_offline_email_notifications: 'true' });
});

test('A mention of a topic is mailed to those who take part in it, by the same settings', async () => {
  await member.toStream('test', 'taken part in');
  expect(await mailed('taken part in', '@**topic** come')).toEqual([MEMBER]);
  expect(sentTo(MEMBER).at(-1)!.header).toContain('Subject: You were mentioned in #test > taken part in');
  await member.toStream('test', 'part of the stream');
  await subscription(member, 'wildcard_mentions_notify', false);
  expect(await mailed('part of the stream', '@**topic** come')).toEqual([]);
  await policy(member, 'part of the stream', 3);
  expect(await mailed('part of the stream', '@**topic** come')).toEqual([MEMBER]);
  await subscription(member, 'wildcard_mentions_notify', true);
  await member.toStream('test', 'a muted part');
  await policy(member, 'a muted part', 1);
  expect(await mailed('a muted part', '@**topic** come')).toEqual([]);
  await other.toStream('test', 'with mail off');
  await settings(other, { enable_offline_email_notifications: 'false' });
  expect(await mailed('with mail off', '@**topic** come')).toEqual([]);
  await settings(other, { enable_offline_email_notifications: 'true' });
});

test('Nobody is mailed who was there or has read it', async () => {
  await member.post('/users/me/presence', { status: 'active' });
  const id = await owner.toStream('test', 'seen', '@**all** look');
  await other.post('/messages/flags', { messages: `[${id}]`, op: 'add', flag: 'read' });
  await all.settled();
  const mails = [...sentTo(MEMBER), ...sentTo(OTHER)];
  expect(mails.filter(({ header }) => header.includes('> seen'))).toEqual([]);
});

test('In a stream of many, each who wants it gets one mail', async () => {
  const [realm] = (await mysql()('chat_realms').pluck('id')) as [number];
  await mysql().raw(
    'INSERT INTO chat_users (realm_id, email, email_key, full_name, short_name, role, settings, key_hash, key_sealed, ' +
      "joined_at) SELECT ?, CONCAT('p', seq, '@example.com'), CONCAT('p', seq, '@example.com'), CONCAT('P', seq), 'p', " +
      // So that it does not take long, one of a hundred wants mail.
      "'member', IF(seq % 100 = 0, '{}', ?), SHA2(seq, 256), '', NOW(3) FROM " +
      `seq_1_to_${CROWD}; INSERT INTO chat_subscriptions (recipient_id, user_id, from_id, created_at, is_active) ` +
      // A third of them has left the stream.
      "SELECT ?, id, 1, NOW(3), id % 3 > 0 FROM chat_users WHERE short_name = 'p'",
    [realm, '{"enable_offline_email_notifications":false}', await streamId()],
  );
  const wanting = (await mysql()('chat_subscriptions as s')
    .join('chat_users as u', 'u.id', 's.user_id')
    .where({ recipient_id: await streamId(), 's.is_active': true, short_name: 'p', settings: '{}' })
    .pluck('email')) as string[];
  await owner.toStream('test', 'crowd', '@**all** come');
  await all.settled();
  const mailed = all.server.taken.flatMap(({ to }) => to).filter((address) => /^p\d+@/.test(address));
  expect(mailed.toSorted()).toEqual(wanting.toSorted());
  expect(mailed.length).toBeGreaterThan(3);
});
