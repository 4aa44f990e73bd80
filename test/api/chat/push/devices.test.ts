import { callerOf } from '../../../support/chat/people';
import { openPushStage, type PushStage } from '../../../support/chat/pushing';
import { signedIn } from '../../../support/http/pages';
import { ownDevice } from '../../../support/pushing';
import { until } from '../../../support/until';

let stage: PushStage;

beforeAll(async () => {
  stage = await openPushStage({ JOB_REPLY_DEADLINE_MS: '60000', DRAIN_DEADLINE_MS: '120000' });
});
afterAll(() => stage.close());

const rows = () => stage.node.kernel.mysql('chat_push_subscriptions').orderBy('id');
const devicesOf = async (who: PushStage['other']) =>
  (await who.get('/push_devices')).body.devices as { id: number; current: boolean }[];

test('The server makes its keys once, whichever node is asked, and keeps the private one encrypted', async () => {
  const second = await callerOf(await stage.cluster.node(), 'member@example.com');
  const [one, two] = await Promise.all([stage.member.get('/push_devices'), second.get('/push_devices')]);
  expect(Buffer.from(one.body.public_key, 'base64url')).toHaveLength(65);
  expect(two.body).toEqual(one.body);
  const [key, ...more] = (await stage.node.kernel.mysql('kernel_push_keys')) as { private_sealed: string }[];
  expect(more).toEqual([]);
  expect(Buffer.from(stage.node.kernel.secrets.decrypt(key!.private_sealed), 'base64url')).toHaveLength(32);
});

test('A device of a program, such as one of UnifiedPush, is added, listed, tried and removed, and stored encrypted', async () => {
  const device = await stage.subscribe(stage.member);
  expect(await devicesOf(stage.member)).toEqual([expect.objectContaining({ id: device.id, current: false })]);
  const [row] = await rows();
  expect(JSON.stringify(row)).not.toContain(device.address.endpoint);
  expect(await stage.member.post(`/push_devices/${device.id}/test`)).toMatchObject({ status: 200 });
  expect(device.pushes[0]!.payload).toMatchObject({ kind: 'test', title: 'Notifications work' });
  const caller = await callerOf(stage.node, stage.member.email);
  expect((await caller.del(`/push_devices/${device.id}`)).status).toBe(200);
  expect((await caller.del(`/push_devices/${device.id}`)).body).toMatchObject({
    code: 'NO_SUCH_PUSH_DEVICE',
    msg: 'There is no such device',
  });
  expect((await stage.member.post(`/push_devices/${device.id}/test`)).body.code).toBe('NO_SUCH_PUSH_DEVICE');
});

test('A device that was removed does not come back by itself', async () => {
  const device = await stage.subscribe(stage.other);
  const caller = await callerOf(stage.node, stage.other.email);
  const renew = () => caller.post('/push_devices', { ...device.address, renew: 'true' });
  expect(await renew()).toMatchObject({ status: 200, body: { device_id: device.id } });
  await caller.del(`/push_devices/${device.id}`);
  expect((await renew()).body.code).toBe('NO_SUCH_PUSH_DEVICE');
  expect(await devicesOf(stage.other)).toEqual([]);
  expect((await caller.post('/push_devices', device.address)).status).toBe(200);
  // Nor does that of somebody else.
  const member = await callerOf(stage.node, stage.member.email);
  const theirs = await member.post('/push_devices', { ...device.address, renew: 'true' });
  expect(theirs.body.code).toBe('NO_SUCH_PUSH_DEVICE');
  const [own] = await devicesOf(stage.other);
  await caller.del(`/push_devices/${own!.id}`);
});

test("Nobody lists, tries or removes another's device", async () => {
  const device = await stage.subscribe(stage.member);
  const caller = await callerOf(stage.node, stage.other.email);
  expect(await devicesOf(stage.other)).toEqual([]);
  expect((await caller.post(`/push_devices/${device.id}/test`)).body.code).toBe('NO_SUCH_PUSH_DEVICE');
  expect((await caller.del(`/push_devices/${device.id}`)).body.code).toBe('NO_SUCH_PUSH_DEVICE');
  expect(await devicesOf(stage.member)).toHaveLength(1);
});

test.each([
  ['endpoint', { endpoint: 'http://push.example.com/a' }],
  ['endpoint', { endpoint: 'https://10.0.0.1/a' }],
  ['endpoint', { endpoint: 'https://[::1]/a' }],
  ['endpoint', { endpoint: 'https://a:b@push.example.com/a' }],
  ['endpoint', { endpoint: 'file:///etc/passwd' }],
  ['endpoint', { endpoint: `https://push.example.com/${'a'.repeat(1000)}` }],
  ['endpoint', { endpoint: 'nonsense' }],
  ['p256dh', { p256dh: Buffer.alloc(65, 4).toString('base64url') }],
  ['p256dh', { p256dh: 'AAAA' }],
  ['p256dh', { p256dh: '' }],
  ['auth', { auth: 'AAAA' }],
  ['auth', { auth: 'ä'.repeat(16) }],
])('A device with a wrong %s is refused: %j', async (field, wrong) => {
  const { body, status } = await stage.other.post('/push_devices', { ...stage.service.device().address, ...wrong });
  expect({ status, body }).toMatchObject({ status: 400, body: { code: 'BAD_PUSH_ADDRESS' } });
  const ofEndpoint = 'endpoint is not that of a device which this server may reach';
  expect(body.msg).toBe(ofEndpoint.replace('endpoint', field));
});

test('A person has ten devices at most: the one goes that was not seen for longest', async () => {
  const first = await stage.subscribe(stage.other);
  const second = await stage.subscribe(stage.other);
  // The first says that it is still there.
  expect((await stage.other.post('/push_devices', first.address)).body.device_id).toBe(first.id);
  for (let count = 0; count < 9; count += 1) await stage.subscribe(stage.other);
  const ids = (await devicesOf(stage.other)).map(({ id }) => id);
  expect(ids).toHaveLength(10);
  expect(ids).toContain(first.id);
  expect(ids).not.toContain(second.id);
});

test('A device belongs to whoever used it last, and hears nothing more of who had it before', async () => {
  const device = await stage.subscribe(stage.member);
  const { body } = await stage.owner.post('/push_devices', device.address);
  expect(body.device_id).not.toBe(device.id);
  await stage.other.toPeople([stage.member.email], 'for the former owner');
  await stage.other.toPeople([stage.owner.email], 'for the present owner');
  expect((await ownDevice(device, 0).got(1)).payload.body).toBe('for the present owner');
  await stage.settled();
  expect(device.pushes).toHaveLength(1);
});

test("A browser's device ends with its session; one with a key ends with that key", async () => {
  const page = await signedIn(stage.node, stage.member.email);
  const device = stage.service.device();
  const { body } = await page.call(stage.node, '/api/v1/push_devices', { form: device.address });
  const list = await page.call(stage.node, '/api/v1/push_devices');
  expect(list.body.devices).toContainEqual(expect.objectContaining({ id: body.device_id, current: true }));
  await page.call(stage.node, '/web/session', { method: 'DELETE' });
  expect((await devicesOf(stage.member)).map(({ id }) => id)).not.toContain(body.device_id);
  const keyed = await devicesOf(stage.member);
  expect(keyed).not.toEqual([]);
  await stage.member.post('/users/me/api_key/regenerate');
  const again = await callerOf(stage.node, stage.member.email);
  expect((await again.get('/push_devices')).body.devices).toEqual([]);
});

test.each([404, 410])('A device of which the push service says %i is forgotten', async (status) => {
  const member = await callerOf(stage.node, stage.member.email);
  const device = await stage.subscribe(member);
  device.answer(status);
  await stage.owner.toPeople([stage.member.email], 'into the void');
  await until(async () => !(await rows()).some(({ id }: { id: number }) => id === device.id));
  const tried = await stage.subscribe(member);
  tried.answer(status);
  expect((await member.post(`/push_devices/${tried.id}/test`)).body).toMatchObject({
    code: 'PUSH_DEVICE_GONE',
    msg: 'The push service no longer knows this device. Turn notifications on again.',
  });
  expect((await member.post(`/push_devices/${tried.id}/test`)).body.code).toBe('NO_SUCH_PUSH_DEVICE');
});

test('While a service is busy a push waits, and comes once; a test is answered at once', async () => {
  const member = await callerOf(stage.node, stage.member.email);
  const device = await stage.subscribe(member);
  device.answer(429, { 'retry-after': '1' });
  const before = stage.service.count();
  await stage.owner.toPeople([stage.member.email], 'in due course');
  await until(() => stage.service.count() > before);
  const { status, body } = await member.post(`/push_devices/${device.id}/test`);
  expect({ status, body }).toMatchObject({ status: 400, body: { code: 'PUSH_REFUSED' } });
  expect(body.msg).toBe('The push service did not take it: The push service answered 429');
  device.answer(201);
  expect((await device.got(1)).payload.body).toContain('in due course');
  await stage.settled();
  expect(device.pushes).toHaveLength(1);
  expect((await member.del(`/push_devices/${device.id}`)).status).toBe(200);
});

test('What a push service refuses for good is a dead letter, and nobody else waits for it', async () => {
  const member = await callerOf(stage.node, stage.member.email);
  const [refused, taken] = [await stage.subscribe(member), await stage.subscribe(member)];
  refused.answer(413);
  await stage.owner.toPeople([stage.member.email], 'for one of two');
  await taken.got(1);
  const letters = () => stage.node.kernel.mysql('kernel_mail').where({ mailbox: 'chat-push', state: 'failed' });
  await until(async () =>
    ((await letters()) as { address: string; reason: string }[]).some(
      ({ address, reason }) => address === String(refused.id) && reason === 'The push service answered 413',
    ),
  );
});

test('A server with PUSH=off has no key, refuses devices and pushes nothing', async () => {
  const off = await callerOf(await stage.cluster.node({ PUSH: 'off' }), 'owner@example.com');
  expect((await off.get('/push_devices')).body.public_key).toBeNull();
  expect((await off.post('/push_devices', stage.service.device().address)).body).toMatchObject({
    code: 'PUSHES_ARE_OFF',
    msg: 'This server sends no push notifications',
  });
});
