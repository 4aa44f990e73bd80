import type { TestPage } from '../../../support/http/pages';
import type { OwnDevice } from '../../../support/pushing';
import { claimsOf } from '../../../support/servers/push-service';
import { DEVICES, openPortalPushes, type PortalPushes } from '../../../support/telephony/pushing';
import { OURS, STRANGERS } from '../../../support/telephony/texting';
import { DEMO_ONE, postAsCarrier } from '../texting/carrier-requests';
import { problem } from '../people';

let stage: PortalPushes;
let member: TestPage;
let device: OwnDevice;
let others: OwnDevice;
let foreign: OwnDevice;

beforeAll(async () => {
  stage = await openPortalPushes({ PUBLIC_URL: 'https://tel.example.org' });
  const { ids } = stage.people;
  await stage.receive({ text: 'long before there was a device' });
  member = await stage.enter(ids.member);
  device = await stage.subscribe(member);
  others = await stage.subscribe(await stage.enter(ids.owner), 'de');
  foreign = await stage.subscribe(await stage.enter(ids.stranger));
});
afterAll(() => stage.close());

const conversationWith = async (number: string) => {
  const { body } = await stage.people.owner('GET', `/texting/conversations?contact=${encodeURIComponent(number)}`);
  return (body as { id: string }[])[0]!.id;
};
const messagesIn = async (id: string) =>
  (await stage.people.member('GET', `/texting/conversations/${id}/messages`)).body as { id: string }[];
const readAll = async (id: string) => {
  const messagesIds = (await messagesIn(id)).map((message) => message.id);
  return member.call(stage.node, `/texting/conversations/${id}/read`, { json: { messagesIds } });
};

let faxes = 0;
async function receiveFax(subject: string, more: object = {}): Promise<string> {
  const fax = {
    id: `pushed-fax-${(faxes += 1)}`,
    from: '+15550107777',
    from_name: 'Dr. Who',
    to: OURS,
    to_name: 'Front desk',
    subject,
    pages: 2,
    content: { name: 'a.pdf', content_type: 'application/pdf', base64: Buffer.from('%PDF-1.4').toString('base64') },
    received_at: new Date().toISOString(),
    ...more,
  };
  expect((await postAsCarrier(stage.node, fax, DEMO_ONE, { about: 'fax' })).status).toBe(204);
  return subject;
}

test('A new text is pushed to everybody in the company, encrypted and signed, with sender and text', async () => {
  const from = stage.someone();
  await stage.receive({ from, text: 'are you   there?' });
  const { headers, payload } = await device.got(1);
  const id = await conversationWith(from);
  expect(payload).toEqual({
    kind: 'message',
    tag: `c:${id}`,
    path: `/portal/texting/${id}`,
    title: from,
    body: 'are you there?',
    ids: [1],
    badge: 1,
    read: 'Mark as read',
    reply: 'Reply',
  });
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high', ttl: '86400' });
  const { public_key: key } = (await member.call(stage.node, DEVICES)).body;
  expect(claimsOf(headers, key)).toMatchObject({ aud: stage.service.origin, sub: 'https://tel.example.org' });
  expect((await others.got(1)).payload).toMatchObject({ body: 'are you there?', reply: 'Antworten' });
  await stage.settled();
  expect([device.pushes.length, others.pushes.length, foreign.pushes.length]).toEqual([1, 1, 0]);
});

test('Further texts of a conversation replace its notification, and the contact is named', async () => {
  const from = stage.someone();
  let count = device.pushes.length;
  await stage.receive({ from, text: 'one' });
  const first = await device.got((count += 1));
  await stage.people.owner('POST', '/texting/contacts', { number: from, first_name: 'Dora', last_name: 'Lang' });
  await stage.receive({ from, text: '' });
  const { headers, payload } = await device.got((count += 1));
  expect(payload).toMatchObject({ title: 'Dora Lang', body: 'A file', ids: [1, 2], tag: first.payload.tag });
  expect(headers['topic']).toBe(first.headers['topic']);
});

test('What comes while a device rests goes together, a notification for each conversation', async () => {
  await stage.settled();
  const count = device.pushes.length;
  await stage.rest();
  const [one, two] = [stage.someone(), stage.someone()];
  for (const text of ['a', 'b', 'c', 'd']) await stage.receive({ from: one, text });
  await stage.receive({ from: two, text: 'x' });
  await stage.waiting(device, 5);
  await stage.wakeUp();
  expect(device.pushes.slice(count).map(({ payload }) => payload.body)).toEqual(['b\nc\nd', 'x']);
});

test("A company's own texts and those of another company are pushed to nobody here", async () => {
  await stage.settled();
  const count = device.pushes.length;
  const id = await stage.begin();
  await stage.send(id, 'from ourselves');
  await stage.receive({ to: STRANGERS, text: 'to the strangers' });
  expect((await foreign.got(1)).payload.body).toBe('to the strangers');
  await stage.settled();
  expect(device.pushes).toHaveLength(count);
  const said = [...device.pushes, ...others.pushes].map(({ payload }) => JSON.stringify(payload)).join();
  expect(said).not.toContain('strangers');
  expect(foreign.pushes).toHaveLength(1);
});

test('A notification is withdrawn once its texts were read by its reader, and by nobody else', async () => {
  const from = stage.someone();
  let count = device.pushes.length;
  await stage.receive({ from, text: 'read me' });
  const { payload } = await device.got((count += 1));
  await stage.settled();
  const theirs = others.pushes.length;
  const id = await conversationWith(from);
  expect(await readAll(id)).toMatchObject({ status: 200 });
  const over = await device.got((count += 1));
  expect(over.payload).toEqual({ kind: 'read', tags: [payload.tag], badge: payload.badge! - 1 });
  expect(over.headers['urgency']).toBe('normal');
  await stage.settled();
  expect(others.pushes).toHaveLength(theirs);
});

test('What was read or deleted before its push went out is not pushed', async () => {
  await stage.settled();
  const count = device.pushes.length;
  await stage.rest();
  const [one, two] = [stage.someone(), stage.someone()];
  await stage.receive({ from: one, text: 'seen at once' });
  await stage.receive({ from: two, text: 'deleted at once' });
  await stage.waiting(device, 2);
  await readAll(await conversationWith(one));
  await stage.people.owner('DELETE', `/texting/conversations/${await conversationWith(two)}`);
  await stage.wakeUp();
  const said = device.pushes.slice(count).map(({ payload }) => JSON.stringify(payload));
  expect(said.join()).not.toContain('at once');
});

test('A notification is withdrawn everywhere once its text or conversation is deleted', async () => {
  const from = stage.someone();
  await stage.settled();
  let counts = [device.pushes.length, others.pushes.length];
  const both = (more: number) => Promise.all([device.got((counts[0]! += more)), others.got((counts[1]! += more))]);
  await stage.receive({ from, text: 'one of two' });
  await both(1);
  await stage.receive({ from, text: 'two of two' });
  const [{ payload }] = await both(1);
  const id = await conversationWith(from);
  const [newest] = await messagesIn(id);
  await stage.people.owner('DELETE', `/texting/conversations/${id}/messages/${newest!.id}`);
  await stage.settled();
  expect([device.pushes.length, others.pushes.length]).toEqual(counts);
  await stage.people.owner('DELETE', `/texting/conversations/${id}`);
  for (const push of await both(1)) expect(push.payload).toMatchObject({ kind: 'read', tags: [payload.tag] });
});

test('A received fax has a notification of its own, which ends for everybody once somebody has read it', async () => {
  await stage.settled();
  const counts = [device.pushes.length, others.pushes.length];
  await receiveFax('Results');
  const { payload } = await device.got(counts[0]! + 1);
  const list = (await stage.people.owner('GET', '/fax/messages?direction=inbound')).body as { id: string }[];
  const id = list[0]!.id;
  expect(payload).toMatchObject({
    tag: `f:${id}`,
    path: `/portal/texting/faxes/${id}`,
    title: 'Fax from Dr. Who',
    body: 'Results · 2 pages',
  });
  expect((await others.got(counts[1]! + 1)).payload).toMatchObject({
    title: 'Fax von Dr. Who',
    body: 'Results · 2 Seiten',
  });
  await stage.people.member('PATCH', `/fax/messages/${id}`, { is_read: true });
  for (const [one, count] of [
    [device, counts[0]!],
    [others, counts[1]!],
  ] as const) {
    expect((await one.got(count + 2)).payload).toMatchObject({ kind: 'read', tags: [`f:${id}`] });
  }
  expect(foreign.pushes).toHaveLength(1);
});

test('A company may have its notifications say nothing of what was written, which only its owner chooses', async () => {
  const path = '/portal/api/push-settings';
  const owner = await stage.enter(stage.people.ids.owner);
  expect((await member.call(stage.node, path)).body).toEqual({ content: true });
  const choose = (page: TestPage, content: boolean) =>
    page.call(stage.node, path, { method: 'PUT', json: { content } });
  expect(await choose(member, false)).toMatchObject(problem(403));
  expect(await choose(owner, false)).toMatchObject({ status: 200 });
  expect((await member.call(stage.node, path)).body).toEqual({ content: false });
  await stage.settled();
  let count = device.pushes.length;
  await stage.receive({ text: 'a secret' });
  const { title, body, path: where } = (await device.got((count += 1))).payload;
  expect({ title, body, where }).toEqual({
    title: 'New text',
    body: '',
    where: expect.stringMatching(/^\/portal\/texting\/[0-9a-f]{24}$/),
  });
  await receiveFax('another secret');
  expect((await device.got(count + 1)).payload).toMatchObject({ title: 'New fax', body: '' });
  const foreignCount = foreign.pushes.length;
  await stage.receive({ to: STRANGERS, text: 'elsewhere it is told' });
  expect((await foreign.got(foreignCount + 1)).payload.body).toBe('elsewhere it is told');
  await choose(owner, true);
});

test('A text of the greatest length and oddest characters fits into a push', async () => {
  await stage.settled();
  const count = device.pushes.length;
  await stage.receive({ text: '\u{1F9D1}\u200D\u{1F680}"\\'.repeat(1500) });
  const { payload } = await device.got(count + 1);
  expect(payload.body!.length).toBeGreaterThan(100);
  expect(Buffer.byteLength(JSON.stringify(payload))).toBeLessThan(3900);
});
