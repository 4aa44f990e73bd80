import { setLimit } from '../../../src/kernel/mysql/tenant-limits';
import { bearer } from '../../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { newUser, userOf } from '../../support/chat/chat';
import { operator, type OperatorClient } from '../../support/operators';
import { pageOf } from '../../support/http/pages';
import { closeSockets, enter } from '../../support/http/sockets';
import { until } from '../../support/until';

let cluster: Cluster;
let node: TestNode;
let second: TestNode;
let full: OperatorClient;
let company: { id: string; key: string };

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  second = await cluster.node();
  full = await operator(node.kernel, node, 'ada', 'full');
});
afterAll(() => {
  closeSockets();
  return cluster.close();
});

const patch = (path: string, limits: object) =>
  node.call(`/ops/api/tenants/${path}`, { method: 'PATCH', headers: bearer(full.key), json: { limits } });
const list = async (query: Record<string, string> = {}) => (await full.get('/tenants', query)).body.tenants;
const audit = async () => (await full.get('/audit', { limit: '1' })).body.entries[0];
const asOwner = (path: string, ask: object = {}) =>
  node.call(path, { ...ask, headers: { ...bearer(company.key), 'X-User-Id': 'primary' } });

test('Organisations and companies are listed with size, activity and limits, and found by a part of the name', async () => {
  const owner = await userOf(node, 'owner');
  await owner.post('/messages', { type: 'stream', to: 'test', topic: 'size', content: 'A secret of ours' });
  const { body, text } = await full.get('/tenants');
  expect(body.kinds).toEqual([
    { kind: 'organisation', fields: ['subdomain'], limits: ['people'] },
    { kind: 'company', fields: ['owner_email'], limits: ['people'] },
  ]);
  const [organisation] = body.tenants;
  expect(organisation).toMatchObject({ kind: 'organisation', is_active: true, limits: { people: null } });
  expect(organisation.sizes.people).toBeGreaterThan(2);
  expect(organisation.sizes.messages).toBeGreaterThan(0);
  expect(Date.now() - Date.parse(organisation.last_active_at)).toBeLessThan(60_000);
  const companies = await list({ kind: 'company' });
  expect(companies).toHaveLength(2);
  expect(companies[0].sizes).toEqual({ people: expect.any(Number), extensions: 0, conversations: expect.any(Number) });
  expect(await list({ kind: 'company', after: companies[0].id })).toEqual([companies[1]]);
  expect(await list({ search: companies[0].name.slice(1, 8) })).toContainEqual(companies[0]);
  expect(await list({ search: '100%' })).toEqual([]);
  expect(text).not.toContain('secret of ours');
});

test('Wrong parameters of tenant routes are refused with an explanation', async () => {
  for (const [query, status] of [
    [{ kind: 'nothing' }, 404],
    [{ after: '1' }, 400],
  ] as const)
    expect((await full.get('/tenants', query)).status).toBe(status);
  expect(await list({ kind: 'organisation', after: 'x' })).toEqual([]);
  expect(await full.post('/tenants/company', { name: 'No Owner' })).toMatchObject({
    status: 400,
    body: { detail: 'owner_email: must be an email address' },
  });
  expect((await full.post('/tenants/organisation', { name: 'Second' })).status).toBe(400);
  for (const id of ['4711', 'ünknown', '1e3'])
    for (const kind of ['organisation', 'company'])
      expect((await full.post(`/tenants/${kind}/${encodeURIComponent(id)}/deactivate`)).status).toBe(404);
  const [{ id }] = await list();
  expect(await patch(`organisation/${id}`, { streams: 3 })).toMatchObject({ status: 400 });
  expect((await patch(`organisation/${id}`, { people: -1 })).body.detail).toBe('limits.people: must be at least 0');
  const { body } = await full.post('/tenants/company', { name: 'x'.repeat(101), owner_email: 'o@long.example' });
  expect(body.detail).toBe('name: must have at most 100 characters');
});

test('A company is added with a key, limited, deactivated and reactivated, and the audit trail shows each change', async () => {
  company = (await full.post('/tenants/company', { name: 'New & Sons', owner_email: 'o@new.example' })).body;
  expect(company).toMatchObject({ kind: 'company', tenant: `tel:${company.id}` });
  expect(await audit()).toMatchObject({ action: 'add', target: `tel:${company.id} New & Sons` });
  expect((await asOwner('/system/company')).status).toBe(200);

  expect((await patch(`company/${company.id}`, { people: 2 })).body.limits).toEqual({ people: 2 });
  expect(await audit()).toMatchObject({ action: 'limit', target: `tel:${company.id} people 2` });
  const invite = (name: string) =>
    asOwner('/company/contacts', { json: { work_email: `${name}@new.example`, first_name: name, last_name: 'X' } });
  const statuses = await Promise.all(['a', 'b', 'c'].map(async (name) => (await invite(name)).status));
  expect(statuses.sort((a, b) => a - b)).toEqual([201, 400, 400]);
  await patch(`company/${company.id}`, { people: null });
  expect((await invite('d')).status).toBe(201);

  expect((await full.post(`/tenants/company/${company.id}/deactivate`)).body.is_active).toBe(false);
  expect((await asOwner('/system/company')).status).toBe(401);
  expect(await audit()).toMatchObject({ action: 'deactivate', target: `tel:${company.id}` });
  await full.post(`/tenants/company/${company.id}/reactivate`);
  expect((await asOwner('/system/company')).status).toBe(200);
});

test('Deactivating a company ends its sockets and sessions on every node, and users sign in again after reactivation', async () => {
  const signIn = (client: TestNode) => client.call('/portal/api/session', { json: { key: company.key } });
  const page = pageOf(await signIn(second));
  const { body } = await page.call(second, '/portal/api/socket-ticket', { json: {} });
  const sockets = await Promise.all([
    enter(node.url, { token: company.key }),
    enter(second.url, { token: company.key }),
    enter(second.url, { token: body.ticket, after: 0 }),
  ]);
  const others = await enter(second.url, { token: 'demo-key-one' });
  await full.post(`/tenants/company/${company.id}/deactivate`);
  for (const socket of sockets) await socket.next('disconnect');
  expect(await page.call(node, '/system/company')).toMatchObject({ status: 401 });
  expect((await signIn(node)).status).toBe(401);
  for (const token of [company.key, body.ticket])
    await expect(enter(second.url, { token })).rejects.toThrow('unauthorized');
  await full.post(`/tenants/company/${company.id}/reactivate`);
  expect((await page.call(second, '/system/company')).status).toBe(401);
  const again = pageOf(await signIn(second));
  expect((await again.call(node, '/system/company')).status).toBe(200);
  await enter(second.url, { token: company.key });
  expect(others.ended).toBe(false);
});

test('An organisation cannot exceed its limit of people, bots aside, and is deactivated and reactivated', async () => {
  const [{ id, tenant, sizes }] = await list({ kind: 'organisation' });
  await newUser(node, 'before');
  await patch(`organisation/${id}`, { people: sizes.people + 1 });
  await expect(newUser(node, 'after')).rejects.toThrow(`at most ${sizes.people + 1} people`);
  const owner = await userOf(node, 'owner');
  expect((await owner.post('/bots', { full_name: 'Spare', short_name: 'spare' })).status).toBe(200);
  await node.kernel.transaction((tx) => setLimit(tx.db, tenant, 'people', null));
  await newUser(node, 'after');
  await full.post(`/tenants/organisation/${id}/deactivate`);
  await until(async () => (await owner.get('/users/me')).status !== 200);
  await full.post(`/tenants/organisation/${id}/reactivate`);
  await until(async () => (await owner.get('/users/me')).status === 200);
});
