import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPbx, type PbxServer } from '../../../simulators/pbx/server';
import { bearer } from '../../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { cliOf, type Cli } from './run';

let cluster: Cluster;
let node: TestNode;
let cli: Cli;
let pbx: PbxServer;
let key: string;
const folder = mkdtempSync(join(tmpdir(), 'pbx-'));
const UUID = '10000000-0000-4000-8000-000000000001';

beforeAll(async () => {
  pbx = await startPbx({ host: '127.0.0.1', port: 0, folder });
  cluster = await openCluster();
  node = await cluster.node();
  cli = cliOf(cluster.environment);
  key = (await cli(['company', 'add', 'Zeta', '--owner-email', 'zoe@zeta.example', '--json'])).json.key;
});
afterAll(async () => {
  await cluster.close();
  await pbx.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('partyline instance', () => {
  test('The command instance list says that there are no instances', async () => {
    expect(await cli(['instance', 'list'])).toMatchObject({ code: 0, out: 'there are no instances\n' });
  });

  test('The command instance add connects a PBX and stores its credentials encrypted', async () => {
    const args = [
      'instance',
      'add',
      '--company',
      'Zeta',
      '--address',
      pbx.url,
      '--uuid',
      UUID,
      '--domain',
      'sip.zeta.example',
    ];
    const made = await cli([...args, '--credentials-stdin', '--json'], { input: 'open sesame' });
    expect(made).toMatchObject({ code: 0, err: '', json: { uuid: UUID, backend: 'simulated', address: pbx.url } });
    const { body } = await node.call('/instances', { headers: bearer(key) });
    expect(body).toMatchObject([{ uuid: UUID, company_name: 'Zeta', external_domain: 'sip.zeta.example' }]);
    const [row] = await node.kernel.mysql('tel_instances').where({ uuid: UUID });
    expect(node.kernel.secrets.decrypt(row.credentials)).toBe('open sesame');
    expect((await cli(['instance', 'list', '--json'])).json.instances).toMatchObject([{ uuid: UUID, company: 'Zeta' }]);
  });

  test('The command instance add refuses values that are not valid', async () => {
    const add = (...args: string[]) => cli(['instance', 'add', ...args]);
    const address = ['--address', pbx.url];
    expect((await add('--company', 'Zeta', ...address, '--uuid', UUID)).err).toContain('already');
    expect((await add('--company', 'Zeta', ...address, '--uuid', 'x')).err).toContain('no uuid');
    expect((await add('--company', 'Nope', ...address)).err).toContain('there is no company "Nope"');
    expect((await add('--company', 'Zeta', ...address, '--location', 'Moon')).err).toContain('no location "Moon"');
    expect((await add('--company', 'Zeta', '--address', 'here')).err).toContain('http://host:port');
    expect((await add('--company', 'Zeta', ...address, '--backend', 'tin-can')).err).toContain('tin-can');
    expect((await add('--company', 'Zeta', ...address, '--codecs', '!all')).err).toContain('no list of codecs');
  });

  test('The command instance add refuses the domain of another Kamailio, even of another company and at another address', async () => {
    await cli(['company', 'add', 'Eta', '--owner-email', 'eve@eta.example', '--json']);
    const add = (company: string, domain: string, host: string) => {
      const where = ['--address', `mysql://${host}:3306/kamailio`, '--domain', domain];
      return cli(['instance', 'add', '--company', company, '--backend', 'kamailio', ...where, '--json']);
    };
    const first = await add('Zeta', 'sip.zeta.example', '127.0.0.1');
    // A simulated PBX may have the same domain: it has its own store.
    expect(first.code).toBe(0);
    for (const domain of ['sip.zeta.example', 'SIP.Zeta.example.']) {
      const refused = await add('Eta', domain, 'localhost');
      expect(refused.code).toBe(1);
      expect(refused.out).toContain(`The domain sip.zeta.example is that of the instance ${first.json.uuid} of Zeta`);
    }
    const own = await add('Eta', 'sip.eta.example', '127.0.0.1');
    expect(own.code).toBe(0);
    for (const { json } of [first, own]) expect((await cli(['instance', 'remove', json.uuid])).code).toBe(0);
  });

  test.each([
    ['freepbx', 'freepbx', 'partyline:freepbx-client-secret', 'FreePBX 16.0.40.11'],
    ['asterisk-ari', 'asterisk', 'partyline:ari-password', 'Asterisk 22.10.1'],
  ])(
    'The command instance add connects a %s, whose health check passes only with the right credentials',
    async (...row) => {
      const [backend, folder, credentials, said] = row;
      const add = ['instance', 'add', '--company', 'Zeta', '--backend', backend, '--codecs', 'g722,ulaw', '--json'];
      const address = ['--address', `${pbx.url}/${folder}/${UUID}`];
      expect((await cli([...add.slice(0, -1), ...address])).err).toContain(`${backend} needs --credentials-stdin`);
      const right = await cli([...add, ...address, '--credentials-stdin'], { input: credentials });
      expect(right).toMatchObject({ code: 0, json: { backend } });
      const [stored] = await node.kernel.mysql('tel_instances').where({ uuid: right.json.uuid });
      expect(stored.credentials).not.toContain('partyline');
      expect(JSON.parse(stored.details)).toEqual({ codecs: 'g722,ulaw' });
      expect(await cli(['instance', 'test', right.json.uuid, '--json'])).toMatchObject({
        code: 0,
        json: { is_well: true, detail: expect.stringContaining(said) },
      });
      const wrong = await cli([...add, ...address, '--credentials-stdin'], { input: 'partyline:canary' });
      const tested = await cli(['instance', 'test', wrong.json.uuid]);
      expect(tested).toMatchObject({ code: 1, out: expect.stringContaining('refuses our credentials') });
      expect(tested.out + tested.err).not.toContain('canary');
      for (const { json } of [right, wrong]) await cli(['instance', 'remove', json.uuid]);
    },
  );

  test('The command instance test says whether the PBX is healthy', async () => {
    expect(await cli(['instance', 'test', UUID, '--json'])).toMatchObject({ code: 0, json: { is_well: true } });
    const dead = (await cli(['instance', 'add', '--company', 'Zeta', '--address', 'http://127.0.0.1:65533', '--json']))
      .json.uuid;
    const tested = await cli(['instance', 'test', dead]);
    expect(tested).toMatchObject({ code: 1, out: expect.stringContaining('is not well: The PBX cannot be reached') });
    expect((await cli(['instance', 'remove', dead])).out).toBe(`removed ${dead}\n`);
    expect((await cli(['instance', 'test', dead])).err).toContain(`there is no instance ${dead}`);
  });

  test('The command instance drift prints the last comparison', async () => {
    expect((await cli(['instance', 'drift', UUID])).out).toBe('it has not been compared yet\n');
    const report = {
      missing: [7],
      changed: [],
      unknown: [8, 9],
      leftover: [],
      alike: 3,
      repaired: [7],
      isComplete: true,
      detail: '',
    };
    const at = '2026-01-01 00:00:00';
    const row = { instance: UUID, begun_at: at, at, is_complete: true, report: JSON.stringify(report) };
    await node.kernel.mysql('tel_drift').insert(row);
    expect((await cli(['instance', 'drift', UUID])).out).toMatch(/^unknown +8 9$/m);
    expect((await cli(['instance', 'drift', UUID, '--json'])).json.report).toMatchObject({
      unknown: [8, 9],
      repaired: [7],
    });
  });

  test('The command instance remove refuses a PBX that has extensions or still waits for a reload', async () => {
    const [instance] = await node.kernel.mysql('tel_instances').where({ uuid: UUID });
    const times = { created_at: '2026-01-01', updated_at: '2026-01-01' };
    const texts = {
      name: 'x',
      description: '',
      data: '{}',
      credentials: '',
      search_text: '',
      user_text: '',
      purpose: 'ip-phone',
    };
    const place = { company_id: instance.company_id, pbx: UUID, location_id: instance.location_id };
    await node.kernel
      .mysql('tel_extensions')
      .insert({ id: 'a'.repeat(24), number: 1, is_visible: true, ...place, ...texts, ...times });
    expect((await cli(['instance', 'remove', UUID])).err).toContain('There are extensions on this instance');
    await node.kernel.mysql('tel_extensions').delete();
    // The deletion of the last one takes effect with a reload that has not happened yet.
    await node.kernel.mysql('tel_reloads').insert({ instance: UUID, is_wanted: true });
    expect((await cli(['instance', 'remove', UUID])).err).toContain('by a reload that is not over yet');
    await node.kernel.mysql('tel_reloads').update({ is_wanted: false, transaction: '7' });
    expect((await cli(['instance', 'remove', UUID])).err).toContain('--drop-reload');
    await node.kernel.mysql('tel_reloads').update({ transaction: null });
    expect((await cli(['instance', 'remove', UUID])).code).toBe(0);
    expect((await node.call('/instances', { headers: bearer(key) })).body).toEqual([]);
  });
});
