import { request } from 'node:http';
import { createRealm, moveRealm } from '../../../../src/chat/commands/organisation/realms';
import { openCluster } from '../../../support/kernel/cluster';
import { clientAt, openOrganisations, ROOT, type Organisations } from '../../../support/chat/organisations';
import { until } from '../../../support/until';
import { chatIn, chatOf } from '../../../support/kernel/parts';

let all: Organisations;

beforeAll(async () => {
  all = await openOrganisations();
});
afterAll(() => all.cluster.close());

const REALM_KEYS = ['realm_uri', 'realm_name', 'realm_icon', 'realm_description'];
const settingsAt = async (host: string) => clientAt(all.node, host).call('/api/v1/server_settings');

/** Sets the header itself, which fetch does not allow. */
const withHost = (host: string, forwarded?: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { Host: host, ...(forwarded === undefined ? {} : { 'X-Forwarded-Host': forwarded }) };
    request(`${all.node.url}/api/v1/server_settings`, { headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => resolve((JSON.parse(text) as { realm_name?: string }).realm_name ?? 'none'));
    })
      .on('error', reject)
      .end();
  });

describe('Host of a request', () => {
  test('The host of a request selects the organisation, whatever its port and case', async () => {
    for (const host of [`beta.${ROOT}`, `BETA.${ROOT}:8443`, `beta.${ROOT}.`]) {
      expect((await settingsAt(host)).body).toMatchObject({ realm_name: 'Beta', realm_uri: `https://beta.${ROOT}` });
    }
    expect(await withHost(`acme.${ROOT}`)).toBe('Example Organization');
    expect(await withHost(`acme.${ROOT}`, `beta.${ROOT}`)).toBe('Beta');
  });

  test('X-Forwarded-Host is ignored unless the proxy is trusted', async () => {
    const alone = await all.cluster.node({ TRUSTED_PROXIES: '' });
    const { body } = await clientAt(alone, `beta.${ROOT}`).call('/api/v1/server_settings');
    expect(body).not.toHaveProperty('realm_name');
  });

  test.each([ROOT, `www.${ROOT}`, '127.0.0.1', 'elsewhere.example'])(
    "The host %s, which belongs to no organisation, gets only the server's own settings",
    async (host) => {
      const { status, body } = await settingsAt(host);
      expect(status).toBe(200);
      expect(body).toMatchObject({ result: 'success', chat_version: '2.1.0', authentication_methods: { dev: true } });
      for (const key of REALM_KEYS) expect(body).not.toHaveProperty(key);
    },
  );

  test('Nobody can log in at the bare domain or at an unused subdomain', async () => {
    const refused = { result: 'error', msg: 'Invalid subdomain', code: 'NONEXISTENT_SUBDOMAIN' };
    for (const host of [ROOT, `gamma.${ROOT}`]) {
      const stranger = clientAt(all.node, host);
      const username = 'owner@example.com';
      for (const answer of [
        await stranger.call('/api/v1/dev_fetch_api_key', { form: { username } }),
        await stranger.call('/api/v1/fetch_api_key', { form: { username, password: 'demo' } }),
        await stranger.call('/api/v1/dev_list_users'),
      ]) {
        expect(answer).toMatchObject({ status: 400, body: refused });
      }
      const me = await stranger.call('/api/v1/users/me', { headers: all.acme.owner.headers });
      expect(me).toMatchObject({ status: 401, body: { msg: 'Account is not associated with this subdomain' } });
    }
    expect(await settingsAt(`gamma.${ROOT}`)).toMatchObject({ status: 400, body: refused });
  });

  test('An organisation can have hosts of its own, and links then use the first one', async () => {
    const { node, beta } = all;
    await moveRealm(chatOf(node.kernel), beta.id, { hosts: ['Chat.Beta.Example', 'old.beta.example'] });
    // The node learns of the move a moment after the command has returned.
    for (const host of ['chat.beta.example', 'old.beta.example', `beta.${ROOT}`]) {
      await until(async () => (await settingsAt(host)).body.realm_uri === 'https://chat.beta.example');
    }
    await moveRealm(chatOf(node.kernel), beta.id, { hosts: [] });
    await until(async () => !('realm_uri' in (await settingsAt('chat.beta.example')).body));
  });
});

describe('Addresses of organisations', () => {
  test.each([
    [{ subdomain: 'acme' }, 'Another organization has this subdomain or host'],
    [{ subdomain: 'gamma', hosts: [`hers.example`] }, 'Another organization has this subdomain or host'],
    [{}, 'This server has its organization already; another one needs a subdomain'],
    [{ subdomain: 'www' }, /^A subdomain is/],
    [{ subdomain: 'a.b' }, /^A subdomain is/],
    [{ subdomain: 'gamma', hosts: ['no host'] }, '"no host" is not a host name'],
  ])('An organisation with the address %p is refused', async (address, message) => {
    const { node, beta } = all;
    await moveRealm(chatOf(node.kernel), beta.id, { hosts: ['hers.example'] });
    await expect(createRealm(chatOf(node.kernel), { name: 'Gamma', description: '', ...address })).rejects.toThrow(
      message,
    );
  });

  test('An organisation keeps its subdomain while there are others, and a second one needs one first', async () => {
    await expect(moveRealm(chatOf(all.node.kernel), all.beta.id, { subdomain: '' })).rejects.toThrow(
      'each has a subdomain',
    );
    const other = await openCluster();
    try {
      await other.seed();
      const kernel = await other.kernel();
      const second = { name: 'Second', description: '', subdomain: 'second' };
      await expect(createRealm(chatOf(kernel), second)).rejects.toThrow('has no subdomain yet');
    } finally {
      await other.close();
    }
  });

  test('A changed host reaches every node shortly after the change', async () => {
    const { node, cluster, beta } = all;
    const second = await cluster.node();
    const host = 'moved.beta.example';
    expect(await chatIn(second).realms.place(host)).toBe('bare');
    await moveRealm(chatOf(node.kernel), beta.id, { hosts: [host] });
    expect(await chatIn(node).realms.place(host)).toBe(beta.id);
    expect(
      await until(
        () => chatIn(second).realms.place(host),
        (place) => place !== 'bare',
      ),
    ).toBe(beta.id);
  });

  test('A known host is resolved without a MySQL query', async () => {
    const { node, acme } = all;
    await acme.owner.get('/users/me');
    const asked: string[] = [];
    const add = ({ sql }: { sql: string }) => asked.push(sql);
    node.kernel.mysql.on('query', add);
    await acme.owner.get('/users/me');
    node.kernel.mysql.off('query', add);
    expect(asked.filter((sql) => sql.includes('chat_realm_hosts'))).toEqual([]);
  });
});

test('The only organisation of a server answers at every host', async () => {
  const cluster = await openCluster({ TRUSTED_PROXIES: '127.0.0.1' });
  try {
    await cluster.seed();
    const node = await cluster.node();
    for (const host of ['any.example', 'acme.localhost', '[::1]:9991']) {
      const client = clientAt(node, host);
      expect((await client.call('/api/v1/server_settings')).body.realm_name).toBe('Example Organization');
      const headers = await client.basic('owner@example.com');
      expect((await client.call('/api/v1/users/me', { headers })).body.email).toBe('owner@example.com');
    }
  } finally {
    await cluster.close();
  }
});
