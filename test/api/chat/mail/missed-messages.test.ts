import { callerOf } from '../../../support/chat/people';
import { talker, type Talker } from '../../../support/chat/room';
import { openMailedCluster, openPage, PUBLIC_URL, tokenIn, type MailedCluster } from '../../../support/chat/mailed';
import type { TakenMail } from '../../../support/servers/mail-server';
import { startWorkers } from '../../../support/kernel/workers';

let all: MailedCluster;
let owner: Talker;
let member: Talker;
let other: Talker;

beforeAll(async () => {
  all = await openMailedCluster({ MISSED_MAIL_MS: '1500' });
  owner = await talker(all.node, 'owner@example.com');
  member = await talker(all.node, 'member@example.com');
  other = await talker(all.node, 'other@example.com');
  const old = await owner.toPeople(['other@example.com'], 'an old story');
  const sent_at = Math.floor(Date.now() / 1000) - 3700;
  await all.node.kernel.mysql('chat_messages').where({ id: old }).update({ sent_at });
  await startWorkers(all.cluster, 'chat-missed-messages');
});
afterAll(() => all.close());

const sentTo = (address: string) => all.server.taken.filter(({ to }) => to.includes(address));
const quiet = () => all.settled();
const settings = (who: Talker, form: Record<string, string>) =>
  callerOf(all.node, who.email).then((caller) => caller.patch('/settings/notifications', form));

test('Missed private messages are collected into one mail for each conversation', async () => {
  await owner.toPeople([other.email], 'first word');
  await owner.toPeople([other.email], 'second word');
  await member.toPeople([other.email], 'third word');
  await quiet();
  const mails = sentTo(other.email);
  const found = mails.map(({ text }) => ['first word', 'third word'].filter((word) => text.includes(word)).join());
  expect(found.sort()).toEqual(['first word', 'third word']);
  const both = mails.find(({ text }) => text.includes('first word'))!;
  expect(both.text).toContain('second word');
  expect(both.text).toContain('https://chat.example.org');
  expect(both.header).toContain('Subject: Private messages from Olive Owner');
  expect(both.header).toMatch(/^List-Unsubscribe: <https:\/\/chat\.example\.org\/unsubscribe\/\d+-[\w-]{43}>/m);
  expect(both.header).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  // The sender has not missed their own message.
  expect(sentTo(owner.email)).toEqual([]);
});

test('A mail leads to the very conversation, shows the words as the page does, and is of one thread with the next', async () => {
  await owner.toPeople([other.email], 'some **bold** [words](https://example.net/) :tada:');
  await quiet();
  const first = sentTo(other.email).at(-1)!;
  const near = `${PUBLIC_URL}/#narrow/pm-with/${owner.userId}-pm/near/`;
  expect(first.text).toContain(near);
  expect(first.html).toContain(`<a class="button" href="${near}`);
  expect(first.html).toContain('some <strong>bold</strong> <a href="https://example.net/">words</a> 🎉');
  await owner.toPeople([other.email], 'and again');
  await quiet();
  const second = sentTo(other.email).at(-1)!;
  const threadOf = ({ header }: TakenMail) => /^References: (<\S+>)$/m.exec(header)?.[1];
  expect(threadOf(second)).toBe(threadOf(first));
  await member.toPeople([other.email], 'another thread');
  await quiet();
  expect(threadOf(sentTo(other.email).at(-1)!)).not.toBe(threadOf(first));
});

test('A mail is in the language of its recipient, and its times are those of their time zone', async () => {
  const asOther = await callerOf(all.node, other.email);
  await asOther.patch('/settings/display', { default_language: 'de', timezone: 'Asia/Tokyo' });
  await owner.toPeople([other.email], 'auf Deutsch');
  await quiet();
  const mail = sentTo(other.email).at(-1)!;
  expect(mail.header).toContain('Subject: Private Nachrichten von Olive Owner');
  expect(mail.html).toContain('Unterhaltung öffnen');
  expect(mail.text).toMatch(/Olive Owner, \d+\. \S+ \d{4}, \d\d:\d\d GMT\+9:/);
  await asOther.patch('/settings/display', { default_language: 'en', timezone: '' });
});

test('Missed mentions are mailed, and other stream messages are not', async () => {
  const count = sentTo(other.email).length;
  await owner.toStream('test', 'plans', 'nobody in particular');
  await owner.toStream('test', 'plans', 'hello @**Ola Other**, look');
  await quiet();
  const mails = sentTo(other.email).slice(count);
  expect(mails).toHaveLength(1);
  expect(mails[0]!.header).toContain('Subject: You were mentioned in #test > plans');
  expect(mails[0]!.text).toContain('look');
  expect(mails[0]!.text).not.toContain('nobody in particular');
});

test('No mail is sent for messages that were read or deleted, or to a user who was active', async () => {
  const count = sentTo(other.email).length;
  const read = await owner.toPeople([other.email], 'read in time');
  await other.post('/messages/flags', { messages: `[${read}]`, op: 'add', flag: 'read' });
  const deleted = await owner.toPeople([other.email], 'said too much');
  const asOwner = await callerOf(all.node, owner.email);
  expect((await asOwner.del(`/messages/${deleted}`)).status).toBe(200);
  await quiet();
  await other.post('/users/me/presence', { status: 'active' });
  await owner.toPeople([other.email], 'seen on the screen');
  await quiet();
  expect(sentTo(other.email)).toHaveLength(count);
});

test('Mails about missed messages omit the content where the user wants that', async () => {
  await settings(member, { message_content_in_email_notifications: 'false' });
  await owner.toPeople([member.email], 'for your eyes only');
  await quiet();
  const mail = sentTo(member.email).at(-1)!;
  expect(mail.text).not.toContain('for your eyes only');
  expect(mail.header).toContain('Private messages from Olive Owner');
  await settings(member, { message_content_in_email_notifications: 'true' });
});

test('Missed messages are still mailed after message ids jump, as they do after a restore', async () => {
  await all.node.kernel.mysql('kernel_counters').increment('record_number', 1_000_000_000);
  await owner.toPeople([member.email], 'after the jump');
  await quiet();
  expect(sentTo(member.email).at(-1)!.text).toContain('after the jump');
});

test('Messages older than an hour when the worker first sees them are not mailed', () => {
  expect(all.server.taken.filter(({ text }) => text.includes('an old story'))).toEqual([]);
});

describe('Unsubscribe links', () => {
  let token: string;

  beforeAll(async () => {
    await owner.toPeople([member.email], 'one more');
    await quiet();
    token = tokenIn(sentTo(member.email).at(-1)!, 'unsubscribe');
  });
  const isOn = async () =>
    (await member.post('/register', { event_types: '["update_global_notifications"]' })).body
      .enable_offline_email_notifications as boolean;

  test('Opening the unsubscribe page alone changes nothing', async () => {
    const page = await openPage(all.node, `/unsubscribe/${token}`);
    expect(page).toMatchObject({ status: 200, fields: [], text: expect.stringContaining('member@example.com') });
    expect(await isOn()).toBe(true);
  });

  test('An unsubscribe link with a wrong token or for another user is refused', async () => {
    const wrong = [`1${token}`, token.slice(0, -1), token.replace(/-.*/, `-${'x'.repeat(43)}`), 'ü'.repeat(45)];
    for (const each of wrong) {
      expect((await all.node.call(`/unsubscribe/${encodeURIComponent(each)}`, { method: 'POST' })).status).toBe(400);
    }
    expect(await isOn()).toBe(true);
  });

  test('One-click unsubscribe stops mails about missed messages until the user turns them on again', async () => {
    const form = { 'List-Unsubscribe': 'One-Click' };
    const page = await openPage(all.node, `/unsubscribe/${token}`, form);
    expect(page).toMatchObject({ status: 200, title: 'Unsubscribed' });
    expect(await isOn()).toBe(false);
    const count = sentTo(member.email).length;
    await owner.toPeople([member.email], 'not by mail');
    await quiet();
    expect(sentTo(member.email)).toHaveLength(count);
    await settings(member, { enable_offline_email_notifications: 'true' });
    await owner.toPeople([member.email], 'by mail again');
    await quiet();
    expect(sentTo(member.email).at(-1)!.text).toContain('by mail again');
  });
});
