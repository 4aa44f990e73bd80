import type { TestPage } from '../../../support/http/pages';
import { ownDevice } from '../../../support/pushing';
import { DEVICES, openPortalPushes, type PortalPushes } from '../../../support/telephony/pushing';
import { until } from '../../../support/until';
import { problem } from '../people';

let stage: PortalPushes;
let owner: TestPage;
let member: TestPage;
let stranger: TestPage;

beforeAll(async () => {
  stage = await openPortalPushes({ JOB_REPLY_DEADLINE_MS: '60000' });
  const { ids } = stage.people;
  [owner, member, stranger] = [
    await stage.enter(ids.owner),
    await stage.enter(ids.member),
    await stage.enter(ids.stranger),
  ];
});
afterAll(() => stage.close());

const rows = () => stage.kernel.mysql('tel_push_subscriptions').orderBy('id');
const list = async (page: TestPage) =>
  (await page.call(stage.node, DEVICES)).body.devices as { id: number; current: boolean }[];
const remove = (page: TestPage, id: number | string) => page.call(stage.node, `${DEVICES}/${id}`, { method: 'DELETE' });
const tryOut = (page: TestPage, id: number) => page.call(stage.node, `${DEVICES}/${id}/test`, { json: {} });
const refused = (status: number, detail: string) => ({ status, body: { type: 'about:blank', detail } });
const MISSING = refused(404, 'There is no such device');

test('A browser is added, listed, tried and removed, and stored encrypted', async () => {
  const device = await stage.subscribe(member, 'de-AT');
  expect(await list(member)).toEqual([
    {
      id: device.id,
      agent: expect.any(String),
      created_at: expect.stringMatching(/Z$/),
      seen_at: expect.stringMatching(/Z$/),
      current: true,
    },
  ]);
  const other = await stage.enter(stage.people.ids.member);
  expect((await list(other))[0]).toMatchObject({ id: device.id, current: false });
  const [row] = await rows();
  expect(JSON.stringify(row)).not.toContain(device.address.endpoint);
  expect(await tryOut(member, device.id)).toMatchObject({ status: 200, body: { done: true } });
  expect(device.pushes[0]!.payload).toMatchObject({ kind: 'test', title: 'Benachrichtigungen kommen an' });
  const { body } = await member.call(stage.node, DEVICES, { json: { ...device.address, language: 'en' } });
  expect(body).toEqual({ device_id: device.id });
  const renew = () => member.call(stage.node, DEVICES, { json: { ...device.address, language: 'en', renew: true } });
  expect((await renew()).body).toEqual({ device_id: device.id });
  await tryOut(member, device.id);
  expect(device.pushes.at(-1)!.payload).toMatchObject({ title: 'Notifications work', path: '/portal/account' });
  expect(await remove(member, device.id)).toMatchObject({ status: 200, body: { done: true } });
  expect(await remove(member, device.id)).toMatchObject(MISSING);
  // It does not come back by itself.
  expect(await renew()).toMatchObject(MISSING);
  expect(await list(member)).toEqual([]);
});

test('The key is the same for everybody, and for the chat', async () => {
  const keys = await Promise.all([owner, stranger].map(async (page) => (await page.call(stage.node, DEVICES)).body));
  expect(Buffer.from(keys[0].public_key, 'base64url')).toHaveLength(65);
  expect(keys[1].public_key).toBe(keys[0].public_key);
  expect(await stage.kernel.mysql('kernel_push_keys')).toHaveLength(1);
});

test("Nobody lists, tries or removes another's browser, neither in the company nor in another", async () => {
  const device = await stage.subscribe(member);
  for (const page of [owner, stranger]) {
    expect(await list(page)).toEqual([]);
    expect(await tryOut(page, device.id)).toMatchObject(MISSING);
    expect(await remove(page, device.id)).toMatchObject(MISSING);
  }
  expect(await remove(member, 'nonsense')).toMatchObject(problem(400));
  expect(await list(member)).toHaveLength(1);
  // A key of the company acts for no person here.
  expect(await stage.people.owner('GET', DEVICES)).toMatchObject({ status: 401 });
  await remove(member, device.id);
});

test.each([
  ['endpoint', { endpoint: 'http://push.example.com/a' }],
  ['endpoint', { endpoint: 'https://192.168.0.1/a' }],
  ['p256dh', { p256dh: 'AAAA' }],
  ['auth', { auth: '' }],
])('A browser with a wrong %s is refused: %j', async (field, wrong) => {
  const json = { ...stage.service.device().address, language: 'en', ...wrong };
  const detail = 'endpoint is not that of a device which this server may reach'.replace('endpoint', field);
  expect(await member.call(stage.node, DEVICES, { json })).toMatchObject(refused(400, detail));
});

test('A browser belongs to whoever signed in last, and hears nothing more of who used it before', async () => {
  const device = await stage.subscribe(member);
  const { body } = await stranger.call(stage.node, DEVICES, { json: device.address });
  expect(body.device_id).not.toBe(device.id);
  expect(await list(member)).toEqual([]);
  await stage.receive({ text: 'for the former owner' });
  await stage.receive({ text: 'for the present owner', to: '+15550100002' });
  expect((await ownDevice(device, 0).got(1)).payload.body).toBe('for the present owner');
  await stage.settled();
  expect(device.pushes).toHaveLength(1);
});

test('A browser ends with its session, with its contact, and while the company is inactive', async () => {
  const { node, people } = stage;
  const json = { first_name: 'Ines', work_email: 'ines@example.com' };
  const contact = (await people.owner('POST', '/company/contacts', json)).body as { id: string };
  const [here, there] = [await stage.enter(contact.id), await stage.enter(contact.id)];
  const [one, two] = [await stage.subscribe(here), await stage.subscribe(there)];
  await here.call(node, '/portal/api/session', { method: 'DELETE' });
  expect((await list(there)).map(({ id }) => id)).toEqual([two.id]);
  await stage.receive({ text: 'to the other session' });
  await two.got(1);
  await people.owner('PATCH', `/company/contacts/${contact.id}`, { activated: false });
  expect(await rows()).not.toContainEqual(expect.objectContaining({ id: two.id }));
  await people.owner('PATCH', `/company/contacts/${contact.id}`, { activated: true });
  const again = await stage.subscribe(await stage.enter(contact.id));
  await stage.kernel.mysql('tel_companies').where({ id: stage.ids.one }).update({ status: 'inactive' });
  await stage.receive({ text: 'while nobody may enter' });
  await stage.settled();
  await stage.kernel.mysql('tel_companies').where({ id: stage.ids.one }).update({ status: 'active' });
  await people.owner('DELETE', `/company/contacts/${contact.id}`);
  await stage.receive({ text: 'to nobody' });
  await stage.settled();
  expect([one.pushes.length, two.pushes.length, again.pushes.length]).toEqual([0, 1, 0]);
});

test.each([404, 410])('A browser of which the push service says %i is forgotten', async (status) => {
  const device = await stage.subscribe(member);
  device.answer(status);
  await stage.receive({ text: 'into the void' });
  await until(async () => !(await rows()).some(({ id }: { id: number }) => id === device.id));
  const tried = await stage.subscribe(member);
  tried.answer(status);
  const gone = 'The push service no longer knows this device. Turn notifications on again.';
  expect(await tryOut(member, tried.id)).toMatchObject(refused(400, gone));
  expect(await tryOut(member, tried.id)).toMatchObject(MISSING);
});

test('While a service is busy a push waits, and comes once; a test is answered at once', async () => {
  const device = await stage.subscribe(member);
  device.answer(429, { 'retry-after': '1' });
  const before = stage.service.count();
  await stage.receive({ text: 'in due course' });
  await until(() => stage.service.count() > before);
  const reason = 'The push service did not take it: The push service answered 429';
  expect(await tryOut(member, device.id)).toMatchObject(refused(400, reason));
  device.answer(201);
  expect((await device.got(1)).payload.body).toContain('in due course');
  await stage.settled();
  expect(device.pushes).toHaveLength(1);
  await remove(member, device.id);
});

test('A server with PUSH=off has no key, refuses browsers and pushes nothing', async () => {
  const off = await stage.cluster.node({ PUSH: 'off' });
  expect((await member.call(off, DEVICES)).body.public_key).toBeNull();
  const json = stage.service.device().address;
  expect(await member.call(off, DEVICES, { json })).toMatchObject(
    refused(400, 'This server sends no push notifications'),
  );
});
