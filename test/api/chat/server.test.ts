import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
let second: TestNode;

beforeAll(async () => {
  cluster = await openCluster({ CHAT_FEATURE_LEVEL: 'off', PUBLIC_URL: 'https://chat.example.com' });
  await cluster.seed();
  node = await cluster.node();
  second = await cluster.node();
});
afterAll(() => cluster.close());

describe('GET /server_settings', () => {
  test('Every node returns all specified server settings without credentials', async () => {
    for (const each of [node, second]) {
      const { status, body } = await each.call('/api/v1/server_settings');
      expect(status).toBe(200);
      expect(body).toEqual({
        result: 'success',
        msg: '',
        authentication_methods: expect.objectContaining({
          dev: true,
          email: true,
          password: true,
          ldap: false,
          saml: false,
          remoteuser: false,
        }),
        external_authentication_methods: [],
        chat_version: '2.1.0',
        zulip_version: '2.1.0',
        push_notifications_enabled: false,
        is_incompatible: false,
        email_auth_enabled: true,
        require_email_format_usernames: true,
        realm_uri: 'https://chat.example.com',
        realm_name: 'Example Organization',
        realm_icon: expect.stringMatching(/^https:/),
        realm_description: '<p>A place to try Partyline.</p>',
      });
    }
  });

  test('The server settings show the configured login methods and external providers', async () => {
    const saml = { name: 'saml:corp', display_name: 'Corp', display_icon: null, login_url: '/l', signup_url: '/s' };
    const other = await cluster.node({ AUTH_METHODS: 'password,ldap', EXTERNAL_LOGINS: JSON.stringify([saml]) });
    const { body } = await other.call('/api/v1/server_settings');
    expect(body.authentication_methods).toMatchObject({
      dev: false,
      email: false,
      password: true,
      ldap: true,
      saml: true,
    });
    expect(body.external_authentication_methods).toEqual([saml]);
    expect(body).toMatchObject({ email_auth_enabled: false, require_email_format_usernames: false });
  });

  test('The server settings flag a client whose User-Agent is too old', async () => {
    const strict = await cluster.node({ MINIMUM_CLIENTS: 'ZulipMobile=26.0,ZulipInvalid=*' });
    const asked = async (userAgent: string) =>
      (await strict.call('/api/v1/server_settings', { headers: { 'User-Agent': userAgent } })).body.is_incompatible;
    expect(await asked('ZulipMobile/25.9.140 (Android 9)')).toBe(true);
    expect(await asked('ZulipMobile/26.20.143 (Android 9)')).toBe(false);
    expect(await asked('ZulipInvalid/99')).toBe(true);
    expect(await asked('ZulipPython/0.6.3 (Ubuntu; 18.04)')).toBe(false);
  });
});

describe('POST /dev_fetch_api_key', () => {
  const emails = ['owner', 'member', 'other', 'guest', 'webhook-bot', 'helper-bot'].map(
    (name) => `${name}@example.com`,
  );

  test.each(emails)('A development server returns the key of %s', async (email) => {
    const { status, body } = await node.call('/api/v1/dev_fetch_api_key', { form: { username: email } });
    expect(status).toBe(200);
    expect(body).toEqual({ result: 'success', msg: '', email, api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/) });
  });

  test('Every node returns the same development key, and the route accepts multipart forms', async () => {
    const form = new FormData();
    form.set('username', 'member@example.com');
    const [a, b] = [
      await node.call('/api/v1/dev_fetch_api_key', { form: { username: 'member@example.com' } }),
      await second.call('/api/v1/dev_fetch_api_key', { method: 'POST', raw: form }),
    ];
    expect(a.body.api_key).toBe(b.body.api_key);
  });

  test('A development key is refused for unknown, malformed and missing usernames', async () => {
    const ask = (form: Record<string, string>) => node.call('/api/v1/dev_fetch_api_key', { form });
    expect(await ask({ username: 'nobody@example.com' })).toMatchObject({
      status: 403,
      body: { result: 'error', msg: 'This user is not registered.', reason: 'unregistered' },
    });
    expect(await ask({ username: 'nobody' })).toMatchObject({
      status: 400,
      body: { result: 'error', msg: 'Enter a valid email address.', code: 'BAD_REQUEST' },
    });
    expect(await ask({})).toMatchObject({
      status: 400,
      body: {
        result: 'error',
        msg: "Missing 'username' argument",
        code: 'REQUEST_VARIABLE_MISSING',
        var_name: 'username',
      },
    });
  });

  test('A production server refuses development keys', async () => {
    const production = await cluster.node({
      NODE_ENV: 'production',
      SECRET_KEY: 'a-secret-of-more-than-thirty-two-characters',
    });
    expect(
      await production.call('/api/v1/dev_fetch_api_key', { form: { username: 'member@example.com' } }),
    ).toMatchObject({
      status: 400,
      body: { result: 'error', msg: 'Dev environment not enabled.' },
    });
    expect((await production.call('/api/v1/server_settings')).body.authentication_methods.dev).toBe(false);
  });
});

describe('POST /fetch_api_key', () => {
  const login = (username: string, password: string, at = node) =>
    at.call('/api/v1/fetch_api_key', { form: { username, password } });

  test("A correct password returns the user's key, whatever the case of the address", async () => {
    const { body } = await node.call('/api/v1/dev_fetch_api_key', { form: { username: 'member@example.com' } });
    expect(await login('member@example.com', 'demo')).toMatchObject({
      status: 200,
      body: { result: 'success', api_key: body.api_key, email: 'member@example.com' },
    });
    expect((await login('Member@Example.com', 'demo')).status).toBe(200);
  });

  test('A wrong password, an unknown user and a bot get the same error', async () => {
    const refused = { result: 'error', msg: 'Your username or password is incorrect.', reason: 'incorrect_creds' };
    for (const [username, password] of [
      ['member@example.com', 'x'],
      ['nobody@example.com', 'demo'],
      ['helper-bot@example.com', 'demo'],
    ]) {
      expect(await login(username!, password!)).toMatchObject({ status: 403, body: refused });
    }
  });

  test('POST /fetch_api_key is refused where password login is turned off', async () => {
    const off = await cluster.node({ AUTH_METHODS: 'dev' });
    expect(await login('member@example.com', 'demo', off)).toMatchObject({
      status: 403,
      body: { reason: 'password auth disabled' },
    });
  });

  test('Repeated wrong passwords are rate limited', async () => {
    const guarded = await cluster.node({ LOGIN_LIMIT: '60:3', NAMESPACE: `${cluster.environment['NAMESPACE']}-guess` });
    const statuses = [];
    for (let guess = 0; guess < 5; guess += 1)
      statuses.push((await login('other@example.com', `${guess}`, guarded)).status);
    expect(statuses).toEqual([403, 403, 403, 429, 429]);
  });
});
