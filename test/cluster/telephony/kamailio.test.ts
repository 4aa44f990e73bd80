import { closeMysql, openMysql } from '../../../src/kernel/mysql/pool';
import { addInstance } from '../../../src/telephony/commands/sites/change-instances';
import type { CompanyId } from '../../../src/telephony/model/companies/company';
import { problem } from '../../api/telephony/people';
import { until } from '../../support/until';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { call, register, startKamailio, type Kamailio } from './kamailio-process';

let stack: TelephonyStack;
let kamailio: Kamailio;

const ONE = '20000000-0000-4000-8000-000000000001';
const TWO = '20000000-0000-4000-8000-000000000002';
const PATH = `/instances/${ONE}/bulks/extensions`;
const DOMAIN = 'one.example';

beforeAll(async () => {
  kamailio = await startKamailio();
  stack = await openTelephony();
  const connect = async (key: 'owner' | 'stranger', uuid: string, domain: string) => {
    const companyId = (await stack.people[key]('GET', '/system/company')).body.id as CompanyId;
    const url = new URL(kamailio.databaseUrl);
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    url.username = '';
    url.password = '';
    const details = { external_domain: domain, rpc: kamailio.rpc };
    await addInstance(stack.worker, { companyId, backend: 'kamailio', address: url.href, uuid, details, credentials });
  };
  await connect('owner', ONE, DOMAIN);
  await connect('stranger', TWO, 'two.example');
});
afterAll(async () => {
  await stack.close();
  await kamailio.stop();
});

const phone = (user: number, secret: string, domain = DOMAIN) =>
  register({ port: kamailio.port, user, domain, secret });
const stateOf = async (id: string) => (await stack.people.owner('GET', `${PATH}/${id}`)).body.subscriber.state;

test('An extension registers with its secret as soon as it is created, and only with that secret', async () => {
  expect(await phone(301, 'whatever')).toBe(403);
  const made = (await stack.people.owner('POST', PATH, { data: { id: 301, name: 'Real' } })).body;
  expect(await phone(301, 'wrong')).toBe(403);
  expect(await stateOf(made._id)).toBe('UNAUTHENTICATED');
  expect(await phone(301, made.data.secret)).toBe(200);
  expect(await stateOf(made._id)).toBe('AUTHENTICATED');
});

test('A changed secret takes effect in Kamailio at once: the old one is refused and its registration ends', async () => {
  const made = (await stack.people.owner('POST', PATH, { data: { id: 302, name: 'Changing' } })).body;
  expect(await phone(302, made.data.secret)).toBe(200);
  const secret = 'a-better-secret-302';
  expect((await stack.people.owner('PUT', `${PATH}/${made._id}`, { data: { name: 'Changing', secret } })).status).toBe(
    200,
  );
  expect(await call(kamailio.rpc, 'ul.lookup', ['location', `302@${DOMAIN}`])).toBeUndefined();
  expect(await phone(302, made.data.secret)).toBe(403);
  expect(await phone(302, secret)).toBe(200);
});

test('A deleted extension is refused, and its registration is gone', async () => {
  const made = (await stack.people.owner('POST', PATH, { data: { id: 303, name: 'Leaving' } })).body;
  expect(await phone(303, made.data.secret)).toBe(200);
  expect(await call(kamailio.rpc, 'ul.lookup', ['location', `303@${DOMAIN}`])).toBeDefined();
  expect((await stack.people.owner('DELETE', `${PATH}/${made._id}`)).status).toBe(200);
  expect(await call(kamailio.rpc, 'ul.lookup', ['location', `303@${DOMAIN}`])).toBeUndefined();
  expect(await phone(303, made.data.secret)).toBe(403);
});

test('The same number of another company is a separate Kamailio subscriber', async () => {
  const mine = (await stack.people.owner('POST', PATH, { data: { id: 304, name: 'Mine' } })).body;
  expect(await phone(304, mine.data.secret, 'two.example')).toBe(403);
  const path = `/instances/${TWO}/bulks/extensions`;
  const theirs = (await stack.people.stranger('POST', path, { data: { id: 304, name: 'Theirs' } })).body;
  expect(await phone(304, theirs.data.secret, 'two.example')).toBe(200);
  expect(await phone(304, theirs.data.secret)).toBe(403);
  expect(await phone(304, mine.data.secret)).toBe(200);
});

test('Subscribers that Kamailio lost or had changed are repaired, and those it alone knows are kept', async () => {
  const made = (await stack.people.owner('POST', PATH, { data: { id: 305, name: 'Drifting' } })).body;
  const db = openMysql({ ...stack.cluster.config(), databaseUrl: kamailio.databaseUrl });
  await db('subscriber').where({ username: '305', domain: DOMAIN }).update({ ha1: 'stolen' });
  await db('subscriber').insert({ username: '399', domain: DOMAIN, password: '', ha1: 'x', ha1b: 'x' });
  expect(await phone(305, made.data.secret)).toBe(403);
  const { body } = await stack.people.owner('POST', `/instances/${ONE}/drift`);
  expect(body).toMatchObject({ changed: [305], unknown: [399], repaired: [305], is_complete: true });
  expect(await phone(305, made.data.secret)).toBe(200);
  const rows = await db('subscriber').where({ domain: DOMAIN }).select();
  expect(JSON.stringify(rows)).not.toContain(made.data.secret);
  await closeMysql(db);
});

test('A change that the database only claims to have made gets 502, and such a repair is not reported as repaired', async () => {
  const { owner } = stack.people;
  const [altered, ordered] = [
    (await owner('POST', PATH, { data: { id: 307, name: 'Altered' } })).body,
    (await owner('POST', PATH, { data: { id: 308, name: 'Ordered' } })).body,
  ];
  const drift = async () => (await owner('POST', `/instances/${ONE}/drift`)).body;
  const db = openMysql({ ...stack.cluster.config(), databaseUrl: kamailio.databaseUrl });
  await db('subscriber').where({ username: '307', domain: DOMAIN }).update({ ha1: 'stolen' });
  await db.raw('CREATE TRIGGER lies BEFORE UPDATE ON subscriber FOR EACH ROW SET NEW.ha1 = OLD.ha1');
  expect(await drift()).toMatchObject({ is_complete: false, changed: [307], repaired: [] });
  const changed = await owner('PATCH', `${PATH}/${ordered._id}`, { data: { secret: 'never-held-secret' } });
  expect(changed).toMatchObject(problem(502));
  expect(changed.body.detail).toContain('holds something else in ha1; nothing was changed');
  await db.raw('DROP TRIGGER lies');
  expect(await drift()).toMatchObject({ changed: [307], repaired: [307] });
  // The order may still be being undone.
  await until(drift, ({ is_complete }) => is_complete);
  expect(await phone(307, altered.data.secret)).toBe(200);
  expect(await phone(308, ordered.data.secret)).toBe(200);
  await closeMysql(db);
});

test('Kamailio stores the secret only, other fields are named in warnings, and codecs and transport are refused', async () => {
  const { owner } = stack.people;
  const { status, body } = await owner('POST', PATH, { data: { id: 309, name: 'Wordy', ringtimer: '25' } });
  expect([status, body.data.ringtimer]).toEqual([201, '25']);
  expect(body.warnings).toEqual([expect.stringContaining('data.name'), expect.stringContaining('data.ringtimer')]);
  const detail = (await owner('GET', `/instances/${ONE}`)).body;
  expect(detail).toMatchObject({ uuid: ONE, backend: 'kamailio', role: 'registrar', supported_fields: ['secret'] });
  for (const field of ['allow', 'disallow', 'transport']) {
    const refused = await owner('PATCH', `${PATH}/${body._id}`, { data: { [field]: 'x' } });
    expect(refused).toMatchObject(problem(400));
    expect(refused.body.detail).toContain(`data.${field}`);
    // Repeating the stored values loses nothing.
    expect((await owner('PATCH', `${PATH}/${body._id}`, { data: { [field]: '' } })).status).toBe(200);
  }
});

test('An order gets 502 while the database of Kamailio is unreachable', async () => {
  const { mysql } = stack.worker;
  const [{ address }] = await mysql('tel_instances').where({ uuid: ONE }).select('address');
  await mysql('tel_instances').where({ uuid: ONE }).update({ address: 'mysql://127.0.0.1:1/kamailio' });
  expect(await stack.people.owner('POST', PATH, { data: { id: 306, name: 'Nowhere' } })).toMatchObject(problem(502));
  await mysql('tel_instances').where({ uuid: ONE }).update({ address });
  expect((await stack.people.owner('POST', PATH, { data: { id: 306, name: 'Here' } })).status).toBe(201);
});
