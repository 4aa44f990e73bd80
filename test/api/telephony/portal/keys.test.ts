import type { Answer } from '../../../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { pageOf, type TestPage } from '../../../support/http/pages';
import { closeSockets, openSocket } from '../../../support/http/sockets';
import { until } from '../../../support/until';
import { actAs, openPeople, type People } from '../people';

const SESSION = '/portal/api/session';
const KEYS = '/portal/api/keys';
const GOOD = 'seven quiet herons at dusk';

let cluster: Cluster;
let node: TestNode;
let people: People;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', LOGIN_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  people = await openPeople(node);
});
afterAll(async () => {
  closeSockets();
  await cluster.close();
});

const signIn = (json: object, headers = {}): Promise<Answer> => node.call(SESSION, { json, headers });
const demo = async (id: string): Promise<TestPage> => pageOf(await signIn({ demo: id }));
const auditOf = async (action: string) =>
  (await people.owner('GET', `/company/audit?action=${action}`)).body as { detail: object; contact_id: string }[];
const refused = (status: number, type: string) => ({ status, body: { type, status } });

describe('API keys', () => {
  let owner: TestPage;
  beforeAll(async () => {
    owner = await demo(people.ids.owner);
  });
  const make = async (json: object) => (await owner.call(node, KEYS, { json })).body as { id: string; key: string };

  test('API keys are created and seen by the owner only, shown once, and their last use is recorded', async () => {
    const member = await demo(people.ids.member);
    for (const ask of [{}, { json: { name: 'Mine' } }]) {
      expect(await member.call(node, KEYS, ask)).toMatchObject({ status: 403 });
    }
    expect(await owner.call(node, KEYS, { json: { name: ' ' } })).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^name: /) },
    });
    const { id, key } = await make({ name: 'CRM', rights: 'write' });
    const list = async () =>
      (await owner.call(node, KEYS)).body as { id: string; name: string; last_used_at: string | null }[];
    expect((await list())[0]).toMatchObject({ id, name: 'CRM', last_used_at: null });
    expect((await actAs(node, key)('GET', '/system/company')).status).toBe(200);
    await until(async () => (await list()).find((each) => each.id === id)!.last_used_at !== null);
    expect(JSON.stringify(await list())).not.toContain(key);
    expect((await auditOf('key.create'))[0]).toMatchObject({ detail: { name: 'CRM' } });
  });

  test('An API key may be limited to reading or to texting', async () => {
    const [read, texting] = [await make({ name: 'r', rights: 'read' }), await make({ name: 't', rights: 'texting' })];
    const statuses = async (key: string) => [
      (await actAs(node, key)('GET', '/system/company')).status,
      (await actAs(node, key)('PATCH', '/company', { description: 'x' })).status,
      (await actAs(node, key)('GET', '/texting/conversations')).status,
      (await actAs(node, key)('POST', '/texting/contacts', { number: '+15550107001' })).status,
    ];
    expect(await statuses(read.key)).toEqual([200, 403, 200, 403]);
    expect(await statuses(texting.key)).toEqual([403, 403, 200, 201]);
    expect(await signIn({ key: read.key })).toMatchObject({ status: 403 });
    const socket = openSocket(node.url);
    socket.emit('authenticate', { token: read.key });
    await socket.next('authenticated');
    const marked = await socket.ask('texting.message.markAsRead', { conversation_id: 'x', messagesIds: ['y'] });
    expect(marked).toMatchObject({ error: { status: 403 } });
  });

  test('An API key expires at its end date', async () => {
    expect(await owner.call(node, KEYS, { json: { name: 'Old', ends_at: '2020-01-01' } })).toMatchObject({
      status: 400,
    });
    const { key } = await make({ name: 'Soon over', ends_at: '2099-01-01' });
    const { mysql } = node.kernel;
    await mysql('tel_keys')
      .where({ name: 'Soon over' })
      .update({ ends_at: mysql.raw('NOW(3) + INTERVAL 2 SECOND') });
    const status = async () => (await actAs(node, key)('GET', '/system/company')).status;
    expect(await status()).toBe(200);
    // Also of a node that knows the key already.
    await until(async () => (await status()) === 401);
    expect(await signIn({ key })).toMatchObject(refused(401, 'BAD_CREDENTIALS'));
  });

  test('An API key signs in as the owner, which the audit trail shows, and its deletion ends its sessions and sockets', async () => {
    const { id, key } = await make({ name: 'Door' });
    const page = pageOf(await signIn({ key }));
    expect((await page.call(node, '/system/account')).body).toMatchObject({ is_primary: true });
    expect((await auditOf('session.open'))[0]).toMatchObject({ detail: { opened_by: 'key', key: id } });
    const password = { method: 'PUT', json: { new_password: GOOD } };
    expect(await page.call(node, '/portal/api/password', password)).toMatchObject({ status: 403 });
    const { body } = await page.call(node, '/portal/api/socket-ticket', { json: {} });
    const socket = openSocket(node.url);
    socket.emit('authenticate', { token: body.ticket, after: 0 });
    await socket.next('authenticated');
    expect(await owner.call(node, `${KEYS}/${id}`, { method: 'DELETE' })).toMatchObject({ status: 200 });
    await socket.next('unauthorized');
    expect(await page.call(node, '/system/account')).toMatchObject(refused(401, 'SESSION_ENDED'));
    expect((await actAs(node, key)('GET', '/system/company')).status).toBe(401);
    const { body: own } = await owner.call(node, '/portal/api/socket-ticket', { json: {} });
    const forged = (own.ticket as string).replace(/\.(\d+)\./, (_, named: string) => `.${Number(named) + 1}.`);
    for (const ticket of [body.ticket, forged]) {
      const late = openSocket(node.url);
      late.emit('authenticate', { token: ticket });
      await late.next('unauthorized');
    }
    expect(await owner.call(node, `${KEYS}/${id}`, { method: 'DELETE' })).toMatchObject({ status: 404 });
  });
});
