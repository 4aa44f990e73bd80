import { createHmac } from 'node:crypto';
import {
  openPatientCluster,
  seedCompanies,
  messageDelivery,
  type Companies,
} from '../../../support/telephony/companies';
import type { Cluster, TestNode } from '../../../support/kernel/cluster';
import { openOtherServer, OTHER_SERVER, type OtherServer } from '../../../support/servers/other-server';
import { pageOf, type TestPage } from '../../../support/http/pages';
import { until } from '../../../support/until';
import { startWorkers } from '../../../support/kernel/workers';
import { openPeople, type People } from '../people';

const HOOKS = '/portal/api/webhooks';

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
const call = (method: string, path: string, json?: object, by = owner) =>
  by.call(node, path, { method, ...(json ? { json } : {}) });
const make = async (path: string) => {
  other.at(path, (response) => void response.writeHead(204).end());
  return (await call('POST', HOOKS, { url: other.url(path) })).body as { id: string; secret: string };
};
interface Delivery {
  readonly id: number;
  readonly event: string;
  readonly state: string;
}
const deliveriesOf = async (id: string, state = '') =>
  (await call('GET', `${HOOKS}/${id}/deliveries${state && `?state=${state}`}`)).body as Delivery[];
const postedTo = (path: string) => other.received.filter((each) => each.path === path);
const trailOf = async (action: string) => (await call('GET', `/company/audit?action=${action}`)).body;
const [FIRST, SECOND] = ['11111111-first', '22222222-second'];

test('An owner changes address and events of a webhook, and what waits is posted to the new address', async () => {
  const { id } = await make('/before');
  await call('PATCH', `${HOOKS}/${id}`, { active: false });
  const change = { url: ` ${other.url('/after?token=hidden')} `, events: ['texting.message.new', 'texting.chat.new'] };
  other.at('/after?token=hidden', (response) => void response.writeHead(204).end());
  expect((await call('PATCH', `${HOOKS}/${id}`, change)).status).toBe(200);
  const [listed] = (await call('GET', HOOKS)).body;
  expect(listed).toMatchObject({ id, url: change.url.trim(), events: change.events, active: false });
  await call('PATCH', `${HOOKS}/${id}`, { active: true });
  await messageDelivery(node.kernel, companies.one, FIRST);
  await until(() => postedTo('/after?token=hidden').length === 1);
  expect(postedTo('/before')).toEqual([]);
  const changes = (await trailOf('webhook.update')).map(
    ({ detail }: { detail: { changes: object } }) => detail.changes,
  );
  expect(changes).toContainEqual({ events: ['', 'texting.message.new, texting.chat.new'] });
  expect(changes).toContainEqual({ active: ['true', 'false'] });
  expect(JSON.stringify(changes)).not.toContain('hidden');
  await call('DELETE', `${HOOKS}/${id}`);
});

test('A webhook cannot be changed to an address that could not be added, or to events that do not exist', async () => {
  const { id } = await make('/kept');
  for (const wrong of [{ url: 'nowhere' }, { url: 'http://10.0.0.1/' }, { events: ['nothing'] }, { active: 'x' }]) {
    expect([wrong, (await call('PATCH', `${HOOKS}/${id}`, wrong)).status]).toEqual([wrong, 400]);
  }
  expect((await call('GET', HOOKS)).body).toMatchObject([{ id, url: other.url('/kept'), events: [], active: true }]);
  await call('DELETE', `${HOOKS}/${id}`);
});

test('After a rotation events are signed with both secrets until the overlap ends', async () => {
  const { id, secret: before } = await make('/signed');
  const sent = async (subject: string): Promise<string[]> => {
    const known = postedTo('/signed').length;
    await messageDelivery(node.kernel, companies.one, subject);
    await until(() => postedTo('/signed').length > known);
    const { headers, body } = postedTo('/signed').at(-1)!;
    const [time, ...signatures] = String(headers['x-signature']).split(',');
    const signed = (secret: string) =>
      `v1=${createHmac('sha256', secret)
        .update(`${time!.slice('t='.length)}.${body}`)
        .digest('hex')}`;
    return signatures.map((each) => names.find(([, secret]) => signed(secret) === each)?.[0] ?? 'unknown');
  };
  const names: [string, string][] = [['before', before]];
  expect(await sent(FIRST)).toEqual(['before']);
  const rotated = (await call('POST', `${HOOKS}/${id}/secret`, { overlap_hours: 1 })).body;
  names.push(['after', rotated.secret]);
  expect(Date.parse(rotated.previous_secret_ends_at)).toBeGreaterThan(Date.now());
  expect((await call('GET', HOOKS)).body[0].previous_secret_ends_at).toBe(rotated.previous_secret_ends_at);
  expect(await sent(SECOND)).toEqual(['after', 'before']);
  await node.kernel
    .mysql('tel_webhooks')
    .where({ id })
    .update({ previous_ends_at: new Date(Date.now() - 1000) });
  expect(await sent('third')).toEqual(['after']);
  expect(JSON.stringify(await node.kernel.mysql('tel_webhooks'))).not.toContain(rotated.secret);
  expect(JSON.stringify(await trailOf('webhook.rotate'))).not.toContain(rotated.secret);
  expect(await trailOf('webhook.rotate')).toMatchObject([{ object_id: id, detail: { overlap_hours: 1 } }]);
  await call('DELETE', `${HOOKS}/${id}`);
});

test('A secret that became known is replaced at once, and no overlap is longer than a week', async () => {
  const { id } = await make('/leaked');
  const rotate = (hours: unknown) => call('POST', `${HOOKS}/${id}/secret`, { overlap_hours: hours });
  expect((await rotate(0)).body).toEqual({ secret: expect.any(String), previous_secret_ends_at: null });
  expect(await node.kernel.mysql('tel_webhooks').where({ id }).first('previous_secret')).toEqual({
    previous_secret: null,
  });
  for (const wrong of [-1, 169, 1.5, 'x']) expect([wrong, (await rotate(wrong)).status]).toEqual([wrong, 400]);
  await call('DELETE', `${HOOKS}/${id}`);
});

test('Several deliveries are replayed at once in their order, and those that are not there are left out', async () => {
  const { id } = await make('/many');
  for (const subject of [FIRST, SECOND]) await messageDelivery(node.kernel, companies.one, subject);
  await until(async () => (await deliveriesOf(id, 'done')).length === 2);
  expect(await deliveriesOf(id, 'failed')).toEqual([]);
  const ids = (await deliveriesOf(id)).map((delivery) => delivery.id);
  const replay = (which: readonly number[], hook = id) =>
    call('POST', `${HOOKS}/${hook}/deliveries/replay`, { delivery_ids: which });
  expect((await replay([...ids, 999_999])).body).toEqual({ replayed: 2 });
  await until(() => postedTo('/many').length === 4);
  const again = postedTo('/many').slice(2);
  expect(again.map(({ headers }) => headers['x-partyline-delivery'])).toEqual(
    ids.toSorted((a, b) => a - b).map(String),
  );
  const { id: another } = await make('/another');
  expect((await replay(ids, another)).status).toBe(404);
  expect((await replay([])).status).toBe(400);
  for (const each of [id, another]) await call('DELETE', `${HOOKS}/${each}`);
});

test('Only the owner rotates secrets and replays deliveries', async () => {
  const { id } = await make('/owned');
  for (const [demo, status] of [
    [people.ids.member, 403],
    [people.ids.stranger, 404],
  ] as const) {
    const by = await signIn(demo);
    expect((await call('POST', `${HOOKS}/${id}/secret`, {}, by)).status).toBe(status);
    expect((await call('POST', `${HOOKS}/${id}/deliveries/replay`, { delivery_ids: [1] }, by)).status).toBe(status);
    expect((await call('PATCH', `${HOOKS}/${id}`, { url: other.url('/x') }, by)).status).toBe(status);
  }
  await call('DELETE', `${HOOKS}/${id}`);
});
