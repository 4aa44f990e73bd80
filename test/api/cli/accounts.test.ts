import { basicHeader } from '../../support/http/client';
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

const me = (email: string, key: string) => node.call('/api/v1/users/me', { headers: basicHeader(email, key) });
const keyOf = async (email: string): Promise<string> => (await cli(['key', 'show', email, '--json'])).json.key;

describe('partyline organization add', () => {
  test('An organization has to be added before the first user, and only one can be added', async () => {
    const early = await cli(['user', 'add', 'ada@example.com', '--name', 'Ada']);
    expect(early).toMatchObject({ code: 1, out: '' });
    expect(early.err).toBe('partyline: there is no organization yet: run "partyline organization add <name>"\n');

    const made = await cli(['organization', 'add', 'Acme', '--description', 'Anvils', '--json']);
    expect(made).toMatchObject({ code: 0, err: '', json: { id: 1, name: 'Acme' } });
    const settings = await node.call('/api/v1/server_settings');
    expect(settings.body).toMatchObject({ realm_name: 'Acme' });

    const again = await cli(['organization', 'add', 'Other']);
    expect(again).toMatchObject({
      code: 1,
      err: 'partyline: This server has its organization already; another one needs a subdomain\n',
    });
  });
});

describe('partyline user', () => {
  test('A user added with a password can log in with it', async () => {
    const args = ['user', 'add', 'ada@example.com', '--name', 'Ada Lovelace', '--role', 'admin', '--password-stdin'];
    const made = await cli([...args, '--json'], { input: 'correct horse\n' });
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.json).toEqual({ id: 1, email: 'ada@example.com', full_name: 'Ada Lovelace', role: 'admin' });

    const form = { username: 'ada@example.com', password: 'correct horse' };
    const login = await node.call('/api/v1/fetch_api_key', { form });
    expect(login.status).toBe(200);
    const profile = await me('ada@example.com', login.body.api_key);
    expect(profile.body).toMatchObject({ full_name: 'Ada Lovelace', is_admin: true });
  });

  test('A user added without a password or a role is a member who cannot log in by password', async () => {
    const made = await cli(['user', 'add', 'bo@example.com', '--name', 'Bo']);
    expect(made).toMatchObject({ code: 0, out: 'added bo@example.com (member)\n' });
    const login = await node.call('/api/v1/fetch_api_key', { form: { username: 'bo@example.com', password: '' } });
    expect(login.status).toBe(403);
  });

  test.each([
    ['an address that is taken', ['bo@example.com', '--name', 'Bo'], /Email 'bo@example.com' already in use/],
    ['something that is no address', ['bo', '--name', 'B'], /'bo' is invalid .* not an email address/],
    ['no name', ['bob@example.com'], /required option '--name <full name>' not specified/],
    ['an empty name', ['bob@example.com', '--name', ' '], /must not be empty/],
    ['a name that is too long', ['bob@example.com', '--name', 'x'.repeat(101)], /not be longer than 100/],
    [
      'an unknown role',
      ['bob@example.com', '--name', 'B', '--role', 'king'],
      /Allowed choices are member, admin, guest/,
    ],
    ['an empty password', ['bob@example.com', '--name', 'B', '--password-stdin'], /no password on standard input/],
  ])('The command user add refuses %s', async (_, args, words) => {
    const refused = await cli(['user', 'add', ...args]);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(words);
    expect(refused.err.trimEnd()).not.toContain('\n');
  });

  test('The command user add refuses a weak password', async () => {
    const args = ['user', 'add', 'weak@example.com', '--name', 'Weak Person', '--password-stdin'];
    const refused = await cli(args, { input: 'abc\n' });
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(/New password is too weak!/);
  });

  test('A user who is deactivated is locked out, and after reactivation the same key works again', async () => {
    const key = await keyOf('bo@example.com');
    expect((await me('bo@example.com', key)).status).toBe(200);

    const out = await cli(['user', 'deactivate', 'bo@example.com', '--json']);
    expect(out).toMatchObject({ code: 0, json: { email: 'bo@example.com', is_active: false } });
    expect((await me('bo@example.com', key)).status).toBe(401);

    const back = await cli(['user', 'reactivate', 'bo@example.com']);
    expect(back).toMatchObject({ code: 0, out: 'reactivated bo@example.com\n' });
    expect((await me('bo@example.com', key)).status).toBe(200);
  });

  test('The command user remove-two-factor lets a user sign in by the password alone', async () => {
    const { mysql } = node.kernel;
    const { id } = await mysql('chat_users').where({ email: 'ada@example.com' }).first('id');
    await mysql('chat_two_factor').insert({ user_id: id, secret_sealed: 'x', is_on: true });
    const json = { email: 'ada@example.com', password: 'correct horse' };
    const signIn = async () => (await node.call('/web/session', { json })).status;
    expect(await signIn()).toBe(401);
    const removed = await cli(['user', 'remove-two-factor', 'ada@example.com', '--json']);
    expect(removed).toMatchObject({ code: 0, json: { email: 'ada@example.com' } });
    expect(await signIn()).toBe(200);
  });

  test('The command user deactivate fails for an unknown user', async () => {
    const refused = await cli(['user', 'deactivate', 'nobody@example.com', '--json']);
    expect(refused).toMatchObject({ code: 1, err: '' });
    expect(refused.json).toEqual({ error: 'there is no user nobody@example.com: see "partyline user list"' });
  });
});

describe('partyline bot add', () => {
  test('The command bot add prints a key that works and makes a bot of the requested type', async () => {
    const args = ['bot', 'add', 'ci@example.com', '--name', 'CI', '--owner', 'bo@example.com'];
    const made = await cli([...args, '--json']);
    expect(made).toMatchObject({ code: 0, err: '' });
    const { key, ...rest } = made.json as { key: string };
    expect(rest).toMatchObject({ email: 'ci@example.com', full_name: 'CI', type: 'generic', owner: 'bo@example.com' });
    expect((await me('ci@example.com', key)).body).toMatchObject({ is_bot: true });

    const hook = await cli(['bot', 'add', 'hook@example.com', ...args.slice(3), '--type', 'webhook']);
    expect(hook.out).toMatch(/^email {6}hook@example\.com$/m);
    expect(hook.out).toMatch(/^key {8}[A-Za-z0-9]{32}$/m);
  });

  test('The command bot add refuses an owner who is unknown or a bot', async () => {
    const add = (owner: string) => cli(['bot', 'add', 'x@example.com', '--name', 'X', '--owner', owner]);
    expect((await add('nobody@example.com')).err).toContain('there is no user nobody@example.com');
    expect((await add('ci@example.com')).err).toContain('ci@example.com is a bot');
  });
});

describe('partyline user list', () => {
  test('The command user list prints every user, in columns or as JSON', async () => {
    const listed = await cli(['user', 'list', '--json']);
    expect(listed.json.users).toMatchObject([
      { email: 'ada@example.com', role: 'owner', kind: 'person', owner: null, is_active: true },
      { email: 'bo@example.com', role: 'member', kind: 'person' },
      { email: 'ci@example.com', kind: 'bot', owner: 'bo@example.com' },
      { email: 'hook@example.com', kind: 'webhook bot', owner: 'bo@example.com' },
    ]);
    expect(listed.out).not.toMatch(/key|hash/);

    const { out } = await cli(['user', 'list']);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(5);
    const places = ['email', 'ada@', 'bo@', 'ci@', 'hook@'].map((word, index) => lines[index]!.indexOf(word));
    expect(new Set(places).size).toBe(1);
  });

  test('The command user list prints no escape sequence that a name contains', async () => {
    const evil = 'Ev\u001b[2Jil';
    expect((await cli(['user', 'add', 'evil@example.com', '--name', evil])).err).toMatch('Invalid characters in name!');
    await node.kernel.mysql('chat_users').where({ email: 'hook@example.com' }).update({ full_name: evil });
    expect((await cli(['user', 'list'])).out).not.toContain('\u001b');
    expect((await cli(['user', 'list', '--json'])).json.users.at(-1).full_name).toBe(evil);
  });
});

describe('partyline key', () => {
  test('The command key show prints the key and nothing else', async () => {
    const shown = await cli(['key', 'show', 'ada@example.com']);
    expect(shown).toMatchObject({ code: 0, err: '' });
    expect(shown.out).toMatch(/^[A-Za-z0-9]{32}\n$/);
    expect((await me('ada@example.com', shown.out.trim())).status).toBe(200);
  });

  test('The command key rotate makes a new key and ends the old one', async () => {
    const old = await keyOf('ada@example.com');
    const { json } = await cli(['key', 'rotate', 'ada@example.com', '--json']);
    expect(json).toEqual({ email: 'ada@example.com', key: expect.stringMatching(/^[A-Za-z0-9]{32}$/) });
    expect((await me('ada@example.com', old)).status).toBe(401);
    expect((await me('ada@example.com', json.key)).status).toBe(200);
    expect(await keyOf('ada@example.com')).toBe(json.key);
  });

  test("With a SECRET_KEY other than the server's, no key is shown and none is made", async () => {
    const environment = { SECRET_KEY: 'x'.repeat(40) };
    const shown = await cli(['key', 'show', 'ada@example.com'], { environment });
    expect(shown).toMatchObject({ code: 1, out: '' });
    expect(shown.err).toContain('SECRET_KEY is not the one it was stored with');
    const attempts = [
      ['user', 'add', 'new@example.com', '--name', 'New'],
      ['bot', 'add', 'new@example.com', '--name', 'New', '--owner', 'bo@example.com'],
      ['company', 'add', 'New', '--owner-email', 'new@example.com'],
      ['operator', 'add', 'new'],
    ];
    for (const refused of await Promise.all(attempts.map((args) => cli(args, { environment })))) {
      expect(refused).toMatchObject({ code: 1, out: '' });
      expect(refused.err).toContain('SECRET_KEY is not the one of this server');
    }
  });
});
