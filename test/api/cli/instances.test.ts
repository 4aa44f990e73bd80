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
      const own = ['--domain', 'wrong.example'];
      const wrong = await cli([...add, ...address, ...own, '--credentials-stdin'], { input: 'partyline:canary' });
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

  test('The command instance set changes how a PBX is spoken to, and names an AMI user or none', async () => {
    const add = ['instance', 'add', '--company', 'Zeta', '--json', '--credentials-stdin', '--address', pbx.url];
    const asterisk = await cli([...add, '--backend', 'asterisk-ari', '--ami', 'ami:canary'], { input: 'a:b' });
    expect(asterisk.code).toBe(0);
    const { uuid } = asterisk.json;
    const stored = async () => (await node.kernel.mysql('tel_instances').where({ uuid }))[0];
    const detailsOf = async () => JSON.parse((await stored()).details) as Record<string, string>;
    const { ami } = await detailsOf();
    expect(ami).not.toContain('canary');
    expect(node.kernel.secrets.decrypt(ami!)).toBe('ami:canary');
    const { body } = await node.call(`/instances/${uuid}`, { headers: bearer(key) });
    expect(body).toMatchObject({
      backend: 'asterisk-ari',
      fields: { ringtimer: 'carried', vmx_temp_enabled: 'stored only' },
    });
    expect(JSON.stringify(body)).not.toContain(ami);
    const more = (...args: string[]) => cli([...add, '--backend', 'asterisk-ari', ...args], { input: 'a:b' });
    for (const args of [[], ['--ami', 'ami:x']]) {
      const other = await more(...args);
      expect(other.out).toContain(`The extensions of this Asterisk are those of the instance ${uuid} of Zeta`);
      expect(other.out).toContain('--domain');
    }
    const named = await more('--domain', 'Acme.example.com');
    expect(named.code).toBe(0);
    expect((await more('--domain', 'acme.example.com')).out).toContain('The domain acme.example.com on this Asterisk');
    expect((await more('--domain', '101@acme')).out).toContain('no name of a domain');
    const moved = await cli(['instance', 'set', named.json.uuid, '--domain', 'other.example.com']);
    expect(moved.err).toContain('named by its domain');
    expect((await cli(['instance', 'set', named.json.uuid, '--emergency', '112,x'])).err).toContain(
      'emergency numbers',
    );
    expect((await cli(['instance', 'set', named.json.uuid, '--emergency', '112,999'])).code).toBe(0);
    expect((await cli(['instance', 'remove', named.json.uuid])).code).toBe(0);
    const set = (...args: string[]) => cli(['instance', 'set', uuid, ...args], { input: 'c:d' });
    expect((await set('--codecs', 'g722', '--credentials-stdin')).code).toBe(0);
    expect(await detailsOf()).toEqual({ codecs: 'g722', ami });
    expect(node.kernel.secrets.decrypt((await stored()).credentials)).toBe('c:d');
    expect((await set('--ami', 'nobody')).err).toContain('not like user:secret');
    expect((await set('--no-ami')).code).toBe(0);
    expect(await detailsOf()).toEqual({ codecs: 'g722' });
    expect((await cli(['instance', 'set', UUID, '--ami', 'a:b'])).err).toContain('Only an Asterisk has an AMI');
    expect((await cli(['instance', 'set', 'nope', '--no-ami'])).err).toContain('there is no instance nope');
    expect((await cli(['instance', 'remove', uuid])).code).toBe(0);
  });

  test('The command instance dialplan prints the files for Asterisk and what belongs around them', async () => {
    // It needs neither a configuration nor a server.
    const printed = await cliOf({})(['instance', 'dialplan', '--json']);
    expect(printed.code).toBe(0);
    const { files, steps } = printed.json as { files: { path: string; content: string }[]; steps: { file: string }[] };
    expect(files.map(({ path }) => path)).toEqual(['partyline/extensions.conf', 'partyline/vm-empty.conf']);
    expect(files[0]!.content).toMatch(/^PARTYLINE_DIALPLAN=1$/m);
    expect(steps.map(({ file }) => file)).toContain('manager.conf');
    const { out } = await cli(['instance', 'dialplan']);
    for (const { content } of files) expect(out).toContain(content.trim());
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
