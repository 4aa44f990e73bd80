import { operator, type OperatorClient } from '../../support/operators';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { until } from '../../support/until';
import { INSTANCE_ONE } from '../telephony/people';

let stack: TelephonyStack;
let ada: OperatorClient;

beforeAll(async () => {
  stack = await openTelephony({ BREAKER_FAILURES: '3', BREAKER_OPEN_MS: '600000' });
  ada = await operator(stack.node.kernel, stack.node, 'ada', 'read');
});
afterAll(() => stack.close());

const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;
let next = 4000;
const order = () => stack.people.owner('POST', PATH, { data: { id: ++next, name: `Phone ${next}` } });
const farEnds = async (query: Record<string, string> = {}) => (await ada.get('/far-ends', query)).body;
const pbx = async () => (await farEnds({ search: INSTANCE_ONE })).far_ends[0];
const findings = async (check: string) =>
  (await ada.get('/overview')).body.findings.filter((each: { check: string }) => each.check === check);

test('PBXs, carrier accounts and webhooks are listed with the names of their companies, before they were ever called', async () => {
  const { total, far_ends: all } = await farEnds();
  expect(total).toBe(all.length);
  const [demo] = await stack.worker.mysql('tel_companies').where({ name: 'Example Telecom' });
  expect(await pbx()).toEqual({
    kind: 'pbx',
    id: INSTANCE_ONE,
    tenant: `tel:${demo.id}`,
    tenant_name: 'Example Telecom',
    name: expect.stringMatching(/^.+ \(simulated, 127\.0\.0\.1:\d+\)$/),
    state: 'unknown',
    succeeded_at: null,
    failed_at: null,
    failing_since: null,
    failures: 0,
    error: '',
    work: { work_queue: 'pbx', subject: INSTANCE_ONE },
  });
  expect((await farEnds({ kind: 'carrier', tenant: `tel:${demo.id}` })).far_ends).toMatchObject([
    { kind: 'carrier', name: expect.stringMatching(/^simulated \(\+\d+\)$/), state: 'unknown' },
  ]);
  expect(await findings('far-ends')).toMatchObject([{ level: 'ok' }]);
  for (const query of [{ kind: 'fax' }, { state: 'bad' }, { limit: '0' }])
    expect((await ada.get('/far-ends', query)).status).toBe(400);
});

test('A PBX that fails is a finding with company, PBX and cause, until a call succeeds', async () => {
  expect((await order()).status).toBe(201);
  await until(pbx, ({ state }) => state === 'ok');
  await stack.pbx.fault({ mode: 'error' });
  expect((await order()).status).toBe(502);
  const once = await until(pbx, ({ state }) => state === 'failing');
  expect(once).toMatchObject({ succeeded_at: expect.any(String), failing_since: expect.any(String) });
  expect(once.error).not.toBe('');
  expect(await findings('pbx')).toMatchObject([{ level: 'warn' }]);
  for (let tries = 0; tries < 2; tries += 1) await order();
  await until(pbx, ({ failures }) => failures >= 3);
  const { name } = await pbx();
  expect(await findings('pbx')).toEqual([
    { check: 'pbx', level: 'fail', about: `Example Telecom, ${name}`, says: once.error, advice: expect.any(String) },
  ]);
  expect((await farEnds({ state: 'failing' })).far_ends).toMatchObject([{ id: INSTANCE_ONE }]);
  expect((await farEnds()).far_ends[0]).toMatchObject({ id: INSTANCE_ONE });

  await stack.pbx.fault({ mode: 'ok' });
  const { commands } = stack.worker.redis;
  await commands.del(await commands.keys(`${stack.worker.namespace}*breaker*:open`));
  await until(async () => (await order()).status === 201);
  const well = await until(pbx, ({ state }) => state === 'ok');
  expect(well).toMatchObject({ failing_since: null, failures: 0, error: once.error, failed_at: expect.any(String) });
  expect(await findings('pbx')).toEqual([]);
});

test('What was removed is forgotten, and a webhook shows only its host', async () => {
  const { mysql, redis, namespace } = stack.worker;
  const [{ id: companyId }] = await mysql('tel_companies').where({ name: 'Example Telecom' });
  const body = { id: 'webhook-1' };
  await mysql('tel_webhooks').insert({
    ...body,
    company_id: companyId,
    url: 'https://hooks.example.com/secret-path?token=4711',
    secret: '',
    events: '',
    is_active: true,
    position: 0,
    created_at: mysql.raw('NOW(3)'),
  });
  const [webhook] = (await farEnds({ kind: 'webhook' })).far_ends;
  expect(webhook).toMatchObject({ id: body.id, name: 'hooks.example.com' });
  const [hash] = await redis.commands.keys(`${namespace}:*far-ends`);
  await redis.commands.hset(hash!, `ok:webhook:${body.id}`, 1);
  await mysql('tel_webhooks').where({ id: body.id }).delete();
  expect((await farEnds({ kind: 'webhook' })).far_ends).toEqual([]);
  expect(Object.keys(await redis.commands.hgetall(hash!)).filter((field) => field.includes(body.id))).toEqual([]);
});
