// PRODUCTS=telephony: a node and a worker of telephony, without chat.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { actAs, INSTANCE_ONE, type Person } from '../../api/telephony/people';
import { killAll, startProcess } from '../../support/processes/processes';
import { pbxAt, type PbxSide } from '../../support/telephony/telephony';
import { until } from '../../support/until';
import { distinct, openOneProduct, stop, tagsOf, type OneProduct } from '../one-product';

const folder = mkdtempSync(join(tmpdir(), 'pbx-'));
let alone: OneProduct;
let pbx: PbxSide;
let owner: Person;
beforeAll(async () => {
  const simulator = startProcess('simulators/pbx/main.ts', { DATA_DIR: folder, PBX_SIM_PORT: '0' });
  const [, url = ''] = await simulator.line(/listening on (\S+),/);
  pbx = pbxAt(url);
  alone = await openOneProduct('telephony', { PBX_SIM_PORT: new URL(url).port });
  owner = actAs(alone.node, 'demo-key-one');
});
afterAll(async () => {
  await killAll();
  await alone.close();
  rmSync(folder, { recursive: true, force: true });
});

test('A telephony-only installation has the migrations and demo data of telephony and of the kernel', async () => {
  const { mysql } = await alone.cluster.kernel();
  const [rows] = (await mysql.raw('SHOW TABLES')) as [Record<string, string>[]];
  expect(distinct(rows.map((row) => Object.values(row)[0]!.split('_')[0]!))).toEqual(['kernel', 'ops', 'tel']);
  expect(alone.set.migrated.length).toBeGreaterThanOrEqual(3);
  expect(alone.set.seeded).toEqual({ ops: true, telephony: true });
});

test('The node and the worker are ready, and the worker runs the jobs of telephony and housekeeping', async () => {
  expect(await alone.node.call('/readyz')).toMatchObject({ status: 200, body: { status: 'ready', migrations: 'ok' } });
  expect((await alone.worker.probes.call('/readyz')).status).toBe(200);
  expect(alone.worker.names).toEqual(expect.arrayContaining(['housekeeping', 'pbx', 'texting-outbound']));
  expect(
    alone.worker.names.filter((name) => !/^(housekeeping|(calls|fax|pbx|portal|presence|texting)(-.+)?)$/.test(name)),
  ).toEqual([]);
});

test('An extension is provisioned on its PBX', async () => {
  const { status } = await owner('POST', `/instances/${INSTANCE_ONE}/bulks/extensions`, {
    data: { id: 1001, name: 'Alone' },
  });
  expect(status).toBe(201);
  expect(await pbx.numbers(INSTANCE_ONE)).toEqual([1001]);
});

test('A text message is handed to its carrier', async () => {
  const draft = { from_number: '+15550100001', recipients: [{ number: '+15550201001' }] };
  const { id } = (await owner('POST', '/texting/conversations', draft)).body as { id: string };
  expect((await owner('POST', `/texting/conversations/${id}/messages`, { text: 'hello' })).status).toBe(201);
  await until(
    async () => (await owner('GET', `/texting/conversations/${id}/messages`)).text,
    (text) => /"status":"(sent|delivered)"/.test(text),
  );
});

test('A telephony-only node serves sockets', async () => {
  expect((await alone.node.call('/ws/?EIO=4&transport=polling')).status).toBe(200);
});

test('A telephony-only node answers chat paths with a 404 problem body, and does not document them', async () => {
  const { node } = alone;
  for (const path of ['/', '/api/v1/messages', '/api/v1/server_settings', '/user_uploads/1/x', '/docs/integrations']) {
    expect(await node.call(path, { isUnserved: true })).toMatchObject({
      status: 404,
      body: { type: 'about:blank', status: 404 },
    });
  }
  const { body } = await node.call('/openapi.json');
  expect(tagsOf(body)).toEqual(['ops', 'telephony']);
});

test('The commands doctor and status cover telephony only, and commands of chat say that chat is left out', async () => {
  const { cli } = alone;
  expect((await cli(['doctor', '--json'])).json).toMatchObject({
    ok: true,
    checks: expect.arrayContaining([expect.objectContaining({ check: 'secret-key', says: 'stored keys can be read' })]),
  });
  const { json } = await cli(['status', '--json']);
  expect(json.mysql).toMatchObject({ pending_migrations: [], telephony: { companies: 2 } });
  expect(json.mysql).not.toHaveProperty('chat');
  expect(await cli(['user', 'list'])).toMatchObject({
    code: 1,
    err: 'partyline: PRODUCTS leaves chat out: it is "telephony"\n',
  });
  expect((await cli(['company', 'list', '--json'])).json.companies).toHaveLength(2);
  const environment = { SECRET_KEY: 'another-secret-key-than-the-one-before' };
  expect(await cli(['operator', 'add', 'ada'], { environment })).toMatchObject({
    code: 1,
    err: expect.stringContaining('SECRET_KEY is not the one of this server'),
  });
});

test('The node and the worker stop cleanly', async () => {
  expect(await stop(alone)).toEqual([0, 0]);
});
