import { callerOf } from '../../../support/chat/people';
import { openPushStage, settingsOf, type PushStage } from '../../../support/chat/pushing';
import type { OwnDevice } from '../../../support/pushing';
import { claimsOf } from '../../../support/servers/push-service';

let stage: PushStage;
let device: OwnDevice;

beforeAll(async () => {
  stage = await openPushStage();
  await stage.owner.toPeople([stage.other.email], 'long before there was a device');
  await stage.settled();
  device = await stage.subscribe(stage.other);
});
afterAll(() => stage.close());

const titles = (from = 0) => device.pushes.slice(from).map(({ payload }) => payload.title);

test('A missed private message is pushed, encrypted and signed, with sender and text', async () => {
  const id = await stage.owner.toPeople([stage.other.email], 'are you **there**?');
  const { headers, payload } = await device.got(1);
  expect(payload).toEqual({
    kind: 'message',
    tag: expect.stringMatching(/^r:\d+$/),
    path: `/private/${stage.owner.userId}/near/${id}`,
    title: 'Olive Owner',
    body: 'are you there?',
    ids: [id],
    badge: 1,
    read: 'Mark as read',
    reply: 'Reply',
  });
  expect(headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    urgency: 'high',
    ttl: '86400',
    topic: expect.stringMatching(/^[\w-]{32}$/),
  });
  const { public_key: key } = (await stage.other.get('/push_devices')).body;
  const { aud, sub } = claimsOf(headers, key);
  expect({ aud, sub }).toEqual({ aud: stage.service.origin, sub: 'https://chat.example.org' });
  await stage.settled();
  expect(titles()).toEqual(['Olive Owner']);
});

test('Further messages of a conversation replace its notification, which counts them all', async () => {
  const before = device.pushes.length;
  await stage.owner.toPeople([stage.other.email], 'still there?');
  const { headers, payload } = await device.got(before + 1);
  expect(payload).toMatchObject({ body: 'still there?', badge: 2, tag: device.pushes[0]!.payload.tag });
  expect(payload.ids).toHaveLength(2);
  expect(headers['topic']).toBe(device.pushes[0]!.headers['topic']);
});

test('A mention of a topic is pushed to those who take part in it', async () => {
  const before = device.pushes.length;
  await stage.owner.toStream('test', 'not theirs', '@**topic** nobody else is here');
  await stage.other.toStream('test', 'theirs', 'I am here');
  await stage.owner.toStream('test', 'theirs', '@**topic** you are');
  expect((await device.got(before + 1)).payload).toMatchObject({ title: 'Olive Owner (#test › theirs)' });
  await stage.settled();
  expect(device.pushes).toHaveLength(before + 1);
});

test('A mention is pushed with stream and topic, other messages of the stream are not', async () => {
  const before = device.pushes.length;
  await stage.owner.toStream('test', 'Größe/α', 'nobody in particular');
  const id = await stage.owner.toStream('test', 'Größe/α', 'look, @**Ola Other**');
  const { payload } = await device.got(before + 1);
  const { stream_id: streamId } = (await stage.other.get('/get_stream_id', { stream: 'test' })).body;
  expect(payload).toMatchObject({
    title: 'Olive Owner (#test › Größe/α)',
    body: 'look, @Ola Other',
    tag: `s:${streamId}:größe/α`,
    path: `/stream/${streamId}/topic/${encodeURIComponent('Größe/α')}/near/${id}`,
    ids: [id],
  });
  await stage.settled();
  expect(device.pushes).toHaveLength(before + 1);
});

test('Streams with pushes on and followed topics are pushed, unless they are muted', async () => {
  const { stream_id: streamId } = (await stage.other.get('/get_stream_id', { stream: 'test' })).body;
  const caller = await callerOf(stage.node, stage.other.email);
  const policy = (topic: string, value: number) =>
    caller.post('/user_topics', { stream_id: String(streamId), topic, visibility_policy: String(value) });
  await policy('followed', 3);
  await stage.owner.toStream('test', 'followed', 'one');
  let count = device.pushes.length + 1;
  expect((await device.got(count)).payload.title).toBe('Olive Owner (#test › followed)');
  const push = { stream_id: streamId, property: 'push_notifications', value: true };
  await caller.post('/users/me/subscriptions/properties', { subscription_data: JSON.stringify([push]) });
  await policy('quiet', 1);
  await stage.owner.toStream('test', 'quiet', 'not heard');
  await stage.owner.toStream('test', 'loud', 'heard');
  expect((await device.got((count += 1))).payload.title).toBe('Olive Owner (#test › loud)');
  await stage.settled();
  expect(titles(count)).toEqual([]);
  await caller.post('/users/me/subscriptions/properties', {
    subscription_data: JSON.stringify([{ ...push, value: false }]),
  });
  await stage.owner.toStream('test', 'loud', '@**all** hear this');
  expect((await device.got((count += 1))).payload.body).toBe('@all hear this');
});

test('Who was active, or wants no pushes, gets none; who wants them always, gets them', async () => {
  await stage.settled();
  const before = device.pushes.length;
  await settingsOf(stage, stage.other, { enable_offline_push_notifications: 'false' });
  await stage.owner.toPeople([stage.other.email], 'unwanted');
  await stage.settled();
  await settingsOf(stage, stage.other, { enable_offline_push_notifications: 'true' });
  await stage.other.post('/users/me/presence', { status: 'active' });
  await stage.owner.toPeople([stage.other.email], 'on the screen');
  await stage.settled();
  expect(device.pushes).toHaveLength(before);
  await settingsOf(stage, stage.other, { enable_online_push_notifications: 'true' });
  await stage.owner.toPeople([stage.other.email], 'here too');
  expect((await device.got(before + 1)).payload.body).toContain('here too');
});

test('A notification is withdrawn and the badge lowered once its messages were read elsewhere', async () => {
  await stage.settled();
  const { badge: before = 0, ids = [], tag } = device.pushes.at(-1)!.payload;
  const count = device.pushes.length;
  await stage.other.post('/messages/flags', { messages: JSON.stringify(ids), op: 'add', flag: 'read' });
  const { headers, payload } = await device.got(count + 1);
  expect(payload).toEqual({ kind: 'read', tags: [tag], badge: before - ids.length });
  expect(headers['urgency']).toBe('normal');
  await stage.other.post('/mark_all_as_read');
  expect((await device.got(count + 2)).payload).toMatchObject({ kind: 'read', badge: 0 });
  await stage.settled();
  expect(device.pushes).toHaveLength(count + 2);
});

test('What was marked as unread and is read again, withdraws what came of it', async () => {
  const count = device.pushes.length;
  const id = await stage.owner.toPeople([stage.other.email], 'to and fro');
  await device.got(count + 1);
  const flag = (op: string) => stage.other.post('/messages/flags', { messages: `[${id}]`, op, flag: 'read' });
  await flag('add');
  expect((await device.got(count + 2)).payload.kind).toBe('read');
  await flag('remove');
  await stage.owner.toPeople([stage.other.email], 'and on');
  await device.got(count + 3);
  await stage.other.post('/mark_all_as_read');
  expect((await device.got(count + 4)).payload.kind).toBe('read');
});

test('Who hides private texts gets none, and an organisation may hide everything', async () => {
  await settingsOf(stage, stage.other, { pm_content_in_desktop_notifications: 'false' });
  let count = device.pushes.length;
  await stage.owner.toPeople([stage.other.email], 'a secret');
  expect((await device.got((count += 1))).payload).toMatchObject({ title: 'Olive Owner', body: 'New message' });
  const asOwner = await callerOf(stage.node, stage.owner.email);
  const allow = (allowed: boolean) =>
    asOwner.patch('/realm', { message_content_allowed_in_push_notifications: String(allowed) });
  expect((await allow(false)).status).toBe(200);
  await stage.owner.toStream('test', 'secrets', '@**Ola Other** another secret');
  const { title, body, path } = (await device.got((count += 1))).payload;
  expect({ title, body }).toEqual({ title: 'New message', body: '' });
  expect(path).toContain('/near/');
  await allow(true);
  await settingsOf(stage, stage.other, { pm_content_in_desktop_notifications: 'true' });
});

test('A notification does not show what a spoiler hides', async () => {
  const count = device.pushes.length + 1;
  await stage.owner.toPeople([stage.other.email], 'Seen it?\n```spoiler The end\nHe dies\n```');
  const { body } = (await device.got(count)).payload;
  expect(body).toContain('The end');
  expect(body).not.toContain('He dies');
});

test('Notifications are in the language of their user, and a group is named', async () => {
  const caller = await callerOf(stage.node, stage.other.email);
  await caller.patch('/settings/display', { default_language: '"de"' });
  const count = device.pushes.length;
  await stage.owner.toPeople([stage.other.email, stage.member.email], 'to both');
  const { payload } = await device.got(count + 1);
  expect(payload).toMatchObject({
    title: 'Olive Owner (Max Member)',
    read: 'Als gelesen markieren',
    reply: 'Antworten',
  });
  expect(payload.path).toContain(
    `/private/${[stage.owner.userId, stage.member.userId].toSorted((a, b) => a - b).join(',')}/`,
  );
});

test('A message of the greatest length and oddest characters fits into a push', async () => {
  const count = device.pushes.length;
  await stage.owner.toStream('test', '𝕏'.repeat(60), `@**Ola Other** ${'\u{1F9D1}\u200D\u{1F680}"\\'.repeat(700)}`);
  const { payload } = await device.got(count + 1);
  expect(payload.body!.length).toBeGreaterThan(100);
  expect(Buffer.byteLength(JSON.stringify(payload))).toBeLessThan(3900);
});
