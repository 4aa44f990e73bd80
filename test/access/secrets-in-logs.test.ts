import { bearer } from '../support/http/client';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { startProbe, type ProbeProcess } from '../support/processes/probe-process';
import { killAll } from '../support/processes/processes';
import { openRaw } from '../support/http/raw-connection';
import { closeSockets, openSocket } from '../support/http/sockets';

let cluster: Cluster;
let node: ProbeProcess;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  node = await startProbe(cluster, { LOG_LEVEL: 'trace' });
});
afterAll(async () => {
  closeSockets();
  await killAll();
  await cluster.close();
});

/** As long and as random as the tokens that we and other services generate. */
const CANARY = 'Canary7x2kQ9vLm4Zp8Wt3Rb6Yn1Hc5Jd0';

let count = 0;

/** The access log line of a request. Neither it nor the rest of the log may contain the canary. */
async function pathShown(path: string, ask: Parameters<ProbeProcess['call']>[1] = {}): Promise<string | undefined> {
  const id = `secret-${++count}`;
  const answer = await node.call(path, { ...ask, headers: { ...ask.headers, 'X-Request-Id': id } });
  const lines = await node.linesOf(id);
  expect(answer.text).not.toContain(CANARY);
  expect(node.output()).not.toContain(CANARY);
  return lines.find(({ msg }) => msg === 'request')?.path;
}

const POST = { method: 'POST', raw: '{}' } as const;

test.each([
  ['a text of a carrier', POST, '/webhooks/texting/simulated/', ''],
  ['a fax of a carrier', POST, '/webhooks/fax/simulated/', ''],
  ['a slash at the end', POST, '/webhooks/texting/simulated/', '/'],
  ['a wrong method', {}, '/webhooks/texting/simulated/', ''],
  ['a path that goes on', POST, '/webhooks/texting/simulated/', '/more'],
  ['doubled slashes', POST, '/webhooks//texting/simulated//', ''],
  ['large letters', POST, '/Webhooks/Texting/simulated/', ''],
  ['a path that nobody serves', POST, '/hooks/', ''],
  ["another service's path", POST, '/bot123456789:', '/sendMessage'],
  ['an upload', {}, '/user_uploads/1/ab/', '/notes.txt'],
])('The token in the path of %s is masked in the log', async (_, ask, before, after) => {
  const shown = await pathShown(`${before}${CANARY}${after}`, ask);
  expect(shown).toContain('********');
});

test('A short token of a carrier is masked too, also where the request is refused', async () => {
  for (const ask of [POST, {}]) {
    const shown = await pathShown('/webhooks/texting/simulated/demo-carrier-one', ask);
    expect(shown).toBe('/webhooks/texting/simulated/********');
  }
  expect(node.output()).not.toContain('demo-carrier-one');
});

test('Paths without a secret are shown as they are', async () => {
  expect(await pathShown('/healthz')).toBe('/healthz');
  expect(await pathShown('/api/v1/dev_fetch_api_key', POST)).toBe('/api/v1/dev_fetch_api_key');
  expect(await pathShown('/operations/0123456789abcdef01234567')).toBe('/operations/0123456789abcdef01234567');
});

test('Neither the query nor a header of a request gets into the log', async () => {
  const headers = { Referer: `https://x.example/?api_key=${CANARY}`, Cookie: `a=${CANARY}`, 'User-Agent': CANARY };
  await pathShown(`/api/v1/external/json?api_key=${CANARY}&stream=x`, { ...POST, headers });
  await pathShown(`/user_uploads/1/ab/x/notes.txt?api_key=${CANARY}`, { headers });
  await pathShown(`/files/1/download/a?expires=1&signature=${CANARY}`, { headers });
  await pathShown('/system/company', { headers: { ...headers, ...bearer(CANARY) } });
  const basic = `Basic ${Buffer.from(`a@b.c:${CANARY}`).toString('base64')}`;
  await pathShown('/api/v1/users/me', { headers: { ...headers, Authorization: basic } });
  expect(node.output()).not.toContain(basic.slice(6));
});

test('An error whose text holds credentials is logged without them', async () => {
  expect(await pathShown('/probe/leaky', { json: { secret: CANARY } })).toBe('/probe/leaky');
  expect(node.output()).toContain('carrier.example');
});

test('Neither the token of a socket nor a request that is not HTTP gets into the log', async () => {
  const socket = openSocket(node.url);
  await socket.next('connect');
  socket.emit('authenticate', { token: CANARY });
  socket.emit('shout', 'over');
  await socket.next('heard');
  const raw = openRaw(node.port);
  raw.send(`GARBAGE ${CANARY}\r\nAuthorization: Bearer ${CANARY}\r\n\r\n`);
  await raw.closed();
  expect(node.output()).not.toContain(CANARY);
});

test('No label of a metric holds a token', async () => {
  const { text } = await node.call('/metrics');
  expect(text).not.toContain(CANARY);
  expect(text).not.toContain('demo-carrier-one');
});
