/** Published secrets are worthless: a production server neither starts with them nor accepts them as credentials. */
import { DEMO_ONE, inboundText, postAsCarrier } from '../api/telephony/texting/carrier-requests';
import { bearer } from '../support/http/client';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { startMainNode, type MainNode } from '../support/processes/main-node';
import { killAll, startProcess } from '../support/processes/processes';
import { openSocket, closeSockets } from '../support/http/sockets';

const OWN_SECRET = 'a-secret-of-more-than-thirty-two-characters';
const DEVELOPMENT_SECRET = 'development-secret-key-do-not-use-in-production';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await openCluster({ SECRET_KEY: OWN_SECRET });
  await cluster.seed();
});
afterAll(async () => {
  closeSockets();
  await killAll();
  await cluster.close();
});

describe('Production processes with published secrets', () => {
  test.each(['src/main.ts', 'workers/main.ts', 'cli/main.ts'])(
    'The program %s exits at once with a clear message when SECRET_KEY is the one of development',
    async (script) => {
      const environment = { ...cluster.environment, NODE_ENV: 'production', SECRET_KEY: DEVELOPMENT_SECRET };
      const child = startProcess(script, environment, script.startsWith('cli') ? ['status'] : []);
      expect(await child.ended).toBe(1);
      expect(child.output()).toContain('SECRET_KEY is the published one of development; make one with: node -p');
      expect(child.output()).not.toContain(DEVELOPMENT_SECRET);
    },
  );

  test('A production process names every secret that can be guessed, and prints none of them', async () => {
    const child = startProcess('src/main.ts', {
      ...cluster.environment,
      NODE_ENV: 'production',
      SECRET_KEY: 'change-me-change-me-change-me-change-me',
      METRICS_TOKEN: 'metrics-token',
      REDIS_URL: 'redis://:changeme@127.0.0.1:1',
    });
    expect(await child.ended).toBe(1);
    for (const name of ['SECRET_KEY', 'METRICS_TOKEN', 'REDIS_URL']) expect(child.output()).toContain(`- ${name} `);
    expect(child.output()).not.toMatch(/change-me|changeme/);
  });
});

describe('Production node over a database with demo data', () => {
  let node: MainNode;
  beforeAll(async () => {
    node = await startMainNode({ ...cluster.environment, NODE_ENV: 'production' });
  });

  const company = (url: MainNode | Awaited<ReturnType<Cluster['node']>>, key: string) =>
    url.call('/system/company', { headers: bearer(key) });

  test('A production node answers a demo key like an unknown key, over HTTP', async () => {
    const unknown = await company(node, 'no-such-key');
    for (const key of ['demo-key-one', 'demo-key-two']) {
      const answer = await company(node, key);
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual(unknown.body);
    }
  });

  test('A production node answers a demo key like an unknown key, on a socket', async () => {
    const socket = openSocket(node.url);
    socket.emit('authenticate', { token: 'demo-key-one' });
    expect(await socket.next('unauthorized')).toEqual([{ message: 'The API key is not valid' }]);
  });

  test('A production node answers a demo carrier token like an unknown token', async () => {
    const demo = await postAsCarrier(node, inboundText());
    const unknown = await postAsCarrier(node, inboundText(), { ...DEMO_ONE, token: 'no-such-token' });
    expect(demo.status).toBe(unknown.status);
    expect(demo.status).toBeGreaterThanOrEqual(400);
    expect(demo.body).toEqual(unknown.body);
  });

  test('A node outside production accepts the demo key of the same database', async () => {
    expect((await company(await cluster.node(), 'demo-key-one')).status).toBe(200);
  });
});
