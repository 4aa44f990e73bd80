import { createHmac } from 'node:crypto';
import {
  openPatientCluster,
  seedCompanies,
  messageDelivery,
  type Companies,
} from '../../../support/telephony/companies';
import type { Cluster, TestNode } from '../../../support/kernel/cluster';
import { openOtherServer, OTHER_SERVER, type OtherServer } from '../../../support/servers/other-server';
import { operator } from '../../../support/operators';
import { pageOf, type TestPage } from '../../../support/http/pages';
import { until } from '../../../support/until';
import { startWorkers } from '../../../support/kernel/workers';
import { openPeople, type People } from '../people';

const HOOKS = '/portal/api/webhooks';

interface Delivery {
  readonly id: number;
  readonly event: string;
  readonly state: string;
  readonly attempts: number;
  readonly answer: string | null;
}

let cluster: Cluster;
let node: TestNode;
let other: OtherServer;
let people: People;
let companies: Companies;
let owner: TestPage;

beforeAll(async () => {
  other = await openOtherServer();
  cluster = await openPatientCluster({ LOGIN_LIMIT: 'off', ...OTHER_SERVER });
  companies = await seedCompanies(cluster);
  node = await cluster.node();
  people = await openPeople(node);
  await startWorkers(cluster, 'portal-webhooks');
  owner = await signIn(people.ids.owner);
});
afterAll(async () => {
  await cluster.close();
  await other.close();
});

const signIn = async (demo: string): Promise<TestPage> =>
  pageOf(await node.call('/portal/api/session', { json: { demo } }));
const call = (method: string, path: string, json?: object) =>
  owner.call(node, path, { method, ...(json ? { json } : {}) });
const make = async (json: object) => (await call('POST', HOOKS, json)).body as { id: string; secret: string };
const deliveriesOf = async (id: string) => (await call('GET', `${HOOKS}/${id}/deliveries`)).body as Delivery[];
const hurry = (webhook: string) =>
  node.kernel.mysql('tel_webhook_deliveries').where({ webhook_id: webhook }).update({ due_at: new Date() });
const bodiesAt = (path: string) =>
  other.received
    .filter((each) => each.path === path)
    .map(({ body }) => JSON.parse(body) as { payload: { id: string } });

test('A webhook receives the selected events of its company, signed and in order', async () => {
  other.at('/all', (response) => void response.writeHead(204).end());
  const { id, secret } = await make({ url: other.url('/all'), events: ['texting.message.new'] });
  for (const each of ['m1', 'm2', 'm3']) await messageDelivery(node.kernel, companies.one, each);
  await messageDelivery(node.kernel, companies.two, 'not ours');
  await until(() => bodiesAt('/all').length === 3);
  expect(bodiesAt('/all').map(({ payload }) => payload.id)).toEqual(['m1', 'm2', 'm3']);
  const { headers, body } = other.received.find(({ path }) => path === '/all')!;
  expect(JSON.parse(body)).toMatchObject({ name: 'texting.message.new', company_id: companies.one, seq: 1 });
  const [, time = '', signature] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['x-signature']))!;
  expect(signature).toBe(createHmac('sha256', secret).update(`${time}.${body}`).digest('hex'));
  await until(async () => (await deliveriesOf(id)).every(({ state }) => state === 'done'));
  expect(JSON.stringify((await call('GET', HOOKS)).body)).not.toContain(secret);
  expect(JSON.stringify(await node.kernel.mysql('tel_webhooks'))).not.toContain(secret);
  await call('DELETE', `${HOOKS}/${id}`);
  expect(await node.kernel.mysql('tel_webhook_deliveries')).toEqual([]);
});

test('An event that a webhook refuses is retried without being overtaken, is kept in the end, and can be resent', async () => {
  let status = 500;
  other.at('/down', (response) => void response.writeHead(status).end());
  const { id } = await make({ url: other.url('/down') });
  await messageDelivery(node.kernel, companies.one, 'first');
  await messageDelivery(node.kernel, companies.one, 'second');
  await until(async () => (await deliveriesOf(id)).some(({ attempts }) => attempts === 1));
  expect(bodiesAt('/down').map(({ payload }) => payload.id)).toEqual(['first']);
  await node.kernel.mysql('tel_webhook_deliveries').where({ webhook_id: id, attempts: 1 }).update({ attempts: 8 });
  await hurry(id);
  await until(async () => (await deliveriesOf(id)).some(({ state }) => state === 'failed'));
  const dead = (await deliveriesOf(id)).find(({ state }) => state === 'failed')!;
  expect(dead).toMatchObject({ event: 'texting.message.new', attempts: 9, answer: 'Status 500' });
  // Now the delivery behind it has its turn.
  await until(async () =>
    (await deliveriesOf(id)).some(({ state, attempts }) => state === 'pending' && attempts === 1),
  );
  status = 200;
  await hurry(id);
  expect(await call('POST', `${HOOKS}/${id}/deliveries/${dead.id}/replay`, {})).toMatchObject({ status: 200 });
  await until(async () => (await deliveriesOf(id)).every(({ state }) => state === 'done'));
  expect(new Set(bodiesAt('/down').map(({ payload }) => payload.id))).toEqual(new Set(['first', 'second']));
  await call('DELETE', `${HOOKS}/${id}`);
});

test('A webhook that is switched off receives nothing, and continues with the newest event when switched on', async () => {
  other.at('/off', (response) => void response.writeHead(204).end());
  const { id } = await make({ url: other.url('/off') });
  expect(await call('PATCH', `${HOOKS}/${id}`, { active: false })).toMatchObject({ status: 200 });
  await messageDelivery(node.kernel, companies.one, 'missed');
  await call('PATCH', `${HOOKS}/${id}`, { active: true });
  await messageDelivery(node.kernel, companies.one, 'seen');
  await until(() => bodiesAt('/off').length > 0);
  expect(bodiesAt('/off').map(({ payload }) => payload.id)).toEqual(['seen']);
  await call('DELETE', `${HOOKS}/${id}`);
});

test('A webhook address inside the network is never requested', async () => {
  const { id } = await make({ url: 'http://inside.example/x' });
  await call('POST', `${HOOKS}/${id}/test`, {});
  await until(async () => (await deliveriesOf(id))[0]?.state === 'failed');
  expect((await deliveriesOf(id))[0]).toMatchObject({ event: 'webhook.test', attempts: 1 });
  await call('DELETE', `${HOOKS}/${id}`);
});

test('Operators see events that no webhook accepted, retry them and discard them', async () => {
  const full = await operator(node.kernel, node, 'ada', 'full');
  const { id } = await make({ url: 'http://inside.example/x?token=hidden' });
  await call('POST', `${HOOKS}/${id}/test`, {});
  const dead = async () => {
    const query = { work_queue: 'company-webhooks', bot: 'inside.example' };
    return (await full.get('/dead-letters', query)).body.dead_letters as Record<string, unknown>[];
  };
  await until(async () => (await dead()).length === 1);
  const [letter] = await dead();
  expect(letter).toMatchObject({ kind: 'webhook.test', subject: 'inside.example', tenant: `tel:${companies.one}` });
  expect(JSON.stringify(letter)).not.toContain('hidden');
  const path = `/jobs/company-webhooks/${String(letter!['id'])}`;
  expect((await full.get(path)).body).toMatchObject({ payload: { name: 'webhook.test' }, attempts: 1 });
  await node.kernel
    .mysql('tel_webhooks')
    .where({ id })
    .update({ url: other.url('/mended') });
  other.at('/mended', (response) => void response.writeHead(204).end());
  expect((await full.post(`${path}/retry`)).status).toBe(200);
  await until(async () => (await deliveriesOf(id))[0]?.state === 'done');
  expect(await dead()).toEqual([]);
  await node.kernel.mysql('tel_webhooks').where({ id }).update({ url: 'http://inside.example/' });
  await call('POST', `${HOOKS}/${id}/test`, {});
  await until(async () => (await dead()).length === 1);
  await full.post(`/jobs/company-webhooks/${String((await dead())[0]!['id'])}/discard`);
  expect((await deliveriesOf(id))[0]).toMatchObject({ state: 'dropped' });
  await call('DELETE', `${HOOKS}/${id}`);
});

test('Only the owner can manage webhooks, which are few and have public web addresses', async () => {
  for (const url of ['ftp://other.example/', 'nowhere', 'https://me:word@other.example/']) {
    const { status, body } = await call('POST', HOOKS, { url });
    expect([url, status, body.detail]).toEqual([url, 400, expect.stringMatching(/^url: /)]);
  }
  const inside = ['10.0.0.1', '0x7f.2', '169.254.169.254', '[::1]', '[fe80::1]', '1.1.1.1:25'];
  for (const host of inside) {
    const { status, body } = await call('POST', HOOKS, { url: `http://${host}/` });
    expect([host, status, body.detail]).toEqual([host, 400, expect.stringMatching(/^url: must be a public address/)]);
  }
  const made: string[] = [];
  for (let count = 0; count < 5; count += 1) made.push((await make({ url: other.url(`/${count}`) })).id);
  expect(await call('POST', HOOKS, { url: other.url('/one-more') })).toMatchObject({ status: 400 });
  const others = await Promise.all([signIn(people.ids.member), signIn(people.ids.stranger)]);
  for (const [page, status] of [
    [others[0], 403],
    [others[1], 404],
  ] as const) {
    expect((await page.call(node, `${HOOKS}/${made[0]}`, { method: 'DELETE' })).status).toBe(status);
    expect((await page.call(node, `${HOOKS}/${made[0]}/deliveries`)).status).toBe(status);
    expect((await page.call(node, `${HOOKS}/${made[0]}/test`, { json: {} })).status).toBe(status);
    const replay = `${HOOKS}/${made[0]}/deliveries/1/replay`;
    expect((await page.call(node, replay, { json: {} })).status).toBe(status);
    expect((await page.call(node, `${HOOKS}/${made[0]}`, { method: 'PATCH', json: { active: false } })).status).toBe(
      status,
    );
  }
  expect((await others[0].call(node, HOOKS)).status).toBe(403);
  expect((await others[1].call(node, HOOKS)).body).toEqual([]);
  expect(await call('POST', `${HOOKS}/${made[0]}/deliveries/1/replay`, {})).toMatchObject({ status: 404 });
});
