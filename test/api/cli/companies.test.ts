import { bearer } from '../../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { cliOf, type Cli } from './run';

let cluster: Cluster;
let node: TestNode;
let cli: Cli;

beforeAll(async () => {
  cluster = await openCluster();
  node = await cluster.node();
  cli = cliOf(cluster.environment);
});
afterAll(() => cluster.close());

const company = (key: string) => node.call('/system/company', { headers: bearer(key) });

describe('partyline company', () => {
  test('The command company list says that there are no companies', async () => {
    expect(await cli(['company', 'list'])).toMatchObject({ code: 0, out: 'there are no companies\n' });
    expect((await cli(['company', 'list', '--json'])).json).toEqual({ companies: [] });
  });

  test('The command company add prints a key that acts for the owner', async () => {
    const args = ['company', 'add', 'Zeta & Söhne', '--owner-email', 'zoe@zeta.example'];
    const made = await cli([...args, '--owner-name', 'Zoe van Zeta', '--json']);
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.json).toMatchObject({ name: 'Zeta & Söhne', owner: 'zoe@zeta.example' });
    const answer = await company(made.json.key);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ name: 'Zeta & Söhne' });
  });

  test('The command company add needs no name of the owner', async () => {
    const made = await cli(['company', 'add', 'Eta', '--owner-email', 'eta@eta.example']);
    expect(made.code).toBe(0);
    expect(made.out).toMatch(/^key {7}[A-Za-z0-9]{40}$/m);
  });

  test('The command company add refuses a name that is taken, and an owner without an address', async () => {
    const taken = await cli(['company', 'add', 'Eta', '--owner-email', 'eta@eta.example']);
    expect(taken).toMatchObject({ code: 1, err: 'partyline: There is a company named "Eta" already\n' });
    expect((await cli(['company', 'add', 'Iota'])).err).toContain("required option '--owner-email <email>'");
    expect((await cli(['company', 'add', 'Iota', '--owner-email', 'iota'])).err).toContain('not an email address');
    const disguised = await cli(['company', 'add', 'Iota', '--owner-email', 'ｉota@example.com']);
    expect(disguised).toMatchObject({
      code: 1,
      err: expect.stringContaining('owner_email: must be written in plain letters'),
    });
  });

  test('The command company list prints every company and never a key', async () => {
    const { json, out } = await cli(['company', 'list', '--json']);
    expect(json.companies).toMatchObject([
      { name: 'Eta', status: 'active', contacts: 1, id: expect.stringMatching(/^[0-9a-f]{24}$/) },
      { name: 'Zeta & Söhne', status: 'active', contacts: 1, created_at: expect.stringMatching(/^20.*Z$/) },
    ]);
    expect(out).not.toContain('key');
    const text = (await cli(['company', 'list'])).out;
    expect(text).toMatch(/^id +name +status +contacts +created\n/);
  });
});

describe('partyline key rotate --company', () => {
  test.each(['name', 'id'] as const)('Rotating the key of a company by its %s ends every old key', async (by) => {
    const companies = (await cli(['company', 'list', '--json'])).json.companies;
    const zeta = companies.find(({ name }: { name: string }) => name.startsWith('Zeta'));
    const first = (await cli(['key', 'rotate', '--company', zeta.id, '--json'])).json.key;
    const rotated = await cli(['key', 'rotate', '--company', zeta[by]]);
    expect(rotated).toMatchObject({ code: 0, err: '' });
    expect(rotated.out).toMatch(/^[A-Za-z0-9]{40}\n$/);
    expect((await company(first)).status).toBe(401);
    expect((await company(rotated.out.trim())).body).toMatchObject({ name: 'Zeta & Söhne' });
  });

  test('Rotating the key of a company twice at once leaves one valid key', async () => {
    const runs = await Promise.all([1, 2].map(() => cli(['key', 'rotate', '--company', 'Eta', '--json'])));
    const answers = await Promise.all(runs.map(({ json }) => company(json.key)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('The command key rotate refuses an unknown company, and both an email and a company', async () => {
    const unknown = await cli(['key', 'rotate', '--company', 'Nope']);
    expect(unknown).toMatchObject({ code: 1, out: '' });
    expect(unknown.err).toBe('partyline: there is no company "Nope": see "partyline company list"\n');
    const both = await cli(['key', 'rotate', 'a@example.com', '--company', 'Eta', '--json']);
    expect(both).toMatchObject({ code: 1, json: { error: 'name either an email address or --company' } });
    expect((await cli(['key', 'rotate'])).err).toContain('name either an email address or --company');
  });
});

describe('partyline operator', () => {
  test('Operators are added with full or read-only access, listed and removed', async () => {
    const full = await cli(['operator', 'add', 'root', '--json']);
    const read = await cli(['operator', 'add', 'looker', '--read-only', '--json']);
    const key = expect.stringMatching(/^[A-Za-z0-9]{40}$/);
    expect(full).toMatchObject({ code: 0, json: { name: 'root', access: 'full', key } });
    expect(read).toMatchObject({ code: 0, json: { name: 'looker', access: 'read', key } });
    expect((await cli(['operator', 'add', 'root'])).err).toBe('partyline: There is an operator named "root" already\n');

    const listed = await cli(['operator', 'list', '--json']);
    expect(listed.json.operators).toMatchObject([
      { name: 'looker', access: 'read' },
      { name: 'root', access: 'full' },
    ]);
    expect(listed.out).not.toContain(full.json.key);

    expect(await cli(['operator', 'remove', 'root'])).toMatchObject({ code: 0, out: 'removed root\n' });
    const again = await cli(['operator', 'remove', 'root', '--json']);
    expect(again).toMatchObject({ code: 1, json: { error: 'There is no operator named "root"' } });
    expect((await cli(['operator', 'list'])).out).toMatch(/^name +access +since\nlooker +read +20/);
  });
});
