import { requestDigests } from '../../../../src/chat/commands/mail/request-digests';
import { callerOf } from '../../../support/chat/people';
import { openMailedCluster, openPage, tokenIn, type MailedCluster } from '../../../support/chat/mailed';
import { talker, type Talker } from '../../../support/chat/room';
import { chatOf } from '../../../support/kernel/parts';
import { until } from '../../../support/until';

const DAY_MS = 86_400_000;
const NEVER = new AbortController().signal;

let all: MailedCluster;
let owner: Talker;
let member: Talker;
let other: Talker;

/** Monday is 0. */
const today = (): string => String((new Date().getUTCDay() + 6) % 7);

beforeAll(async () => {
  all = await openMailedCluster();
  [owner, member, other] = (await Promise.all(
    ['owner@example.com', 'member@example.com', 'other@example.com'].map((email) => talker(all.node, email)),
  )) as [Talker, Talker, Talker];
  const long = new Date(Date.now() - 30 * DAY_MS);
  await all.node.kernel.mysql('chat_users').update({ joined_at: long });
  const guest = await talker(all.node, 'guest@example.com');
  for (const here of [owner, other, guest]) await here.post('/users/me/presence', { status: 'active' });
});
afterAll(() => all.close());

const sentTo = (address: string) => all.server.taken.filter(({ to }) => to.includes(address));
const settled = () =>
  until(
    async () =>
      Number((await all.node.kernel.mysql('chat_mails').where({ state: 'pending' }).count({ n: '*' }))[0]!['n']),
    (pending) => pending === 0,
  );
async function run(): Promise<void> {
  await requestDigests(chatOf(all.node.kernel), NEVER);
  await settled();
}
/** As if the last digests were requested a week ago. */
const weekLater = () => all.node.kernel.mysql('chat_digests').update({ day: new Date(Date.now() - 7 * DAY_MS) });
const ofOrganisation = (form: Record<string, string>) => all.people.owner.patch('/realm', form);

test('An organisation gets weekly mail only if an administrator wants it, and on the chosen day', async () => {
  await owner.toStream('test', 'plans', 'one');
  await run();
  expect(all.server.taken).toEqual([]);
  const tomorrow = String((Number(today()) + 1) % 7);
  await ofOrganisation({ digest_emails_enabled: 'true', digest_weekday: tomorrow });
  await run();
  expect(all.server.taken).toEqual([]);
});

test('Somebody who was away gets one mail with the busiest topics of their streams, whoever runs it twice', async () => {
  await ofOrganisation({ digest_weekday: today() });
  await owner.toStream('test', 'lunch', 'alone');
  await owner.toStream('test', 'plans', 'two');
  await other.toStream('test', 'plans', 'three');
  await owner.toStream('test', 'secret plans', 'muted');
  const asMember = await callerOf(all.node, member.email);
  await asMember.patch('/users/me/subscriptions/muted_topics', { stream: 'test', topic: 'secret plans', op: 'add' });
  await Promise.all([run(), run()]);
  await run();
  expect(all.server.taken.map(({ to }) => to)).toEqual([[member.email]]);
  const [mail] = sentTo(member.email);
  expect(mail!.header).toMatch(/^Subject: Your week at /m);
  expect(mail!.text).toContain('#test > plans: 3 messages by Olive Owner and Ola Other');
  expect(mail!.text.indexOf('plans')).toBeLessThan(mail!.text.indexOf('#test > lunch: one message by Olive Owner'));
  expect(mail!.html).toMatch(
    /<a href="https:\/\/chat\.example\.org\/#narrow\/stream\/\d+-test\/topic\/plans\/near\/\d+">/,
  );
  expect(mail!.text).not.toContain('secret');
});

test('Nobody gets a second mail on the same day, and everybody who is still away the next one a week later', async () => {
  await run();
  expect(sentTo(member.email)).toHaveLength(1);
  await weekLater();
  await run();
  expect(sentTo(member.email)).toHaveLength(2);
});

test('A mail that finds its recipient back, or nothing to tell, is not sent', async () => {
  await weekLater();
  await all.node.kernel.mysql('chat_messages').decrement('sent_at', 8 * 86_400);
  await run();
  expect(sentTo(member.email)).toHaveLength(2);
  const [newest] = (await all.states(member.email)).slice(-1);
  expect(newest).toMatchObject({ state: 'dropped', error: 'Nothing has happened meanwhile' });
});

test('One click on the link of a weekly mail ends those mails, and no others', async () => {
  const token = tokenIn(sentTo(member.email).at(-1)!, 'unsubscribe');
  expect((await openPage(all.node, `/unsubscribe/${token}`)).text).toContain(
    'No more weekly mail to member@example.com',
  );
  await openPage(all.node, `/unsubscribe/${token}`, { 'List-Unsubscribe': 'One-Click' });
  const { body } = await member.post('/register', { event_types: '["update_global_notifications"]' });
  expect(body).toMatchObject({ enable_digest_emails: false, enable_offline_email_notifications: true });
  await weekLater();
  await owner.toStream('test', 'plans', 'four');
  await run();
  expect(sentTo(member.email)).toHaveLength(2);
});
