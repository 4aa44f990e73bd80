import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { userOf } from '../../support/chat/chat';
import { cliOf, type Cli } from './run';

let cluster: Cluster;
let node: TestNode;
let cli: Cli;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  node = await cluster.node();
  cli = cliOf(cluster.environment);
});
afterAll(() => cluster.close());

describe('partyline org', () => {
  test('The command org show prints every setting', async () => {
    const { code, json } = await cli(['org', 'show', '--json']);
    expect(code).toBe(0);
    expect(json).toMatchObject({
      name: 'Example Organization',
      allow_message_editing: true,
      message_content_edit_limit_seconds: 600,
      create_stream_policy: 1,
      message_retention_days: null,
    });
  });

  test('The command org set changes one setting and publishes the change to users', async () => {
    const member = await userOf(node, 'member');
    const listen = await member.listen(['realm']);
    expect(await cli(['org', 'set', 'create_stream_policy', '2'])).toMatchObject({
      code: 0,
      out: 'create_stream_policy is 2 now\n',
    });
    expect((await cli(['org', 'set', 'name', 'Acme', '--json'])).json).toEqual({ changed: { name: 'Acme' } });
    expect(await listen()).toMatchObject([
      { property: 'create_stream_policy', value: 2 },
      { property: 'name', value: 'Acme' },
    ]);
    const refused = await member.post('/users/me/subscriptions', { subscriptions: [{ name: 'new' }] });
    expect(refused.body.msg).toBe('User cannot create streams.');
  });

  test.each([
    [['mood', 'good'], /There is no such setting/],
    [['create_stream_policy', '9'], /Invalid create_stream_policy/],
  ])('The command org set refuses %p', async (args, message) => {
    const { code, err } = await cli(['org', 'set', ...args]);
    expect(code).toBe(1);
    expect(err).toMatch(message);
  });
});

test('An organization that is deactivated lets nobody in until it is reactivated', async () => {
  const member = await userOf(node, 'member');
  expect(await cli(['org', 'deactivate'])).toMatchObject({
    code: 0,
    out: 'deactivated Acme: nobody has access any more\n',
  });
  expect(await member.get('/users/me')).toMatchObject({
    status: 401,
    body: { msg: 'This organization has been deactivated' },
  });
  expect((await cli(['org', 'list', '--json'])).json.organizations).toMatchObject([{ state: 'deactivated' }]);
  expect(await cli(['org', 'reactivate'])).toMatchObject({ code: 0, out: 'reactivated Acme\n' });
  expect((await member.get('/users/me')).status).toBe(200);
});

describe('Several organizations', () => {
  test('Another organization can be created once the first has a subdomain, and --org then selects one', async () => {
    const founding = ['org', 'create', 'Beta', '--subdomain', 'beta', '--host', 'chat.beta.example'];
    const early = await cli(founding);
    expect(early.code).toBe(1);
    expect(early.err).toMatch(/has no subdomain yet/);
    const environment = { PUBLIC_URL: 'https://chat.example:8443' };
    expect(await cli(['org', 'move', '--subdomain', 'acme'], { environment })).toMatchObject({
      code: 0,
      out: 'moved Acme: it is at https://acme.chat.example:8443 now\n',
    });
    const [first, second] = ['https://beta.chat.example:8443', 'https://chat.beta.example:8443'];
    expect(await cli(founding, { environment })).toMatchObject({
      code: 0,
      out: `founded Beta at ${first}, ${second}\n`,
    });
    expect((await cli(['org', 'list', '--json'], { environment })).json.organizations).toMatchObject([
      { name: 'Acme', subdomain: 'acme', hosts: '', urls: 'https://acme.chat.example:8443' },
      { name: 'Beta', subdomain: 'beta', hosts: 'chat.beta.example', urls: `${first}, ${second}` },
    ]);

    const unsaid = await cli(['org', 'show']);
    expect(unsaid).toMatchObject({ code: 1 });
    expect(unsaid.err).toMatch(/say which with --org/);
    expect((await cli(['org', 'show', '--org', 'gamma'])).err).toMatch(/there is no organization "gamma"/);
    expect((await cli(['org', 'show', '--org', 'beta', '--json'])).json).toMatchObject({ name: 'Beta' });
  });

  test('Each organization has accounts of its own, even for the same address', async () => {
    const add = ['user', 'add', 'owner@example.com', '--name', 'Bea Owner', '--role', 'admin', '--org', 'beta'];
    expect((await cli(add)).code).toBe(0);
    const keyIn = async (org: string) => (await cli(['key', 'show', 'owner@example.com', '--org', org])).out.trim();
    const [acme, beta] = [await keyIn('acme'), await keyIn('beta')];
    expect(acme).toHaveLength(32);
    expect(beta).toHaveLength(32);
    expect(acme).not.toBe(beta);
    const rotated = (await cli(['key', 'rotate', 'owner@example.com', '--org', 'beta'])).out.trim();
    expect(rotated).not.toBe(beta);
    expect(await keyIn('acme')).toBe(acme);
    expect((await cli(['user', 'list', '--org', 'beta', '--json'])).json.users).toHaveLength(1);
    const foreign = await cli(['user', 'deactivate', 'member@example.com', '--org', 'beta']);
    expect(foreign.err).toMatch(/there is no user member@example.com/);
  });
});
