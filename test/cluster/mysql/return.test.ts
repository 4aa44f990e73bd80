/** How soon sends work again after MySQL was lost, measured against the server's own return in the same run. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { callerOf, type Caller } from '../../support/chat/people';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { startMainNode, type MainNode } from '../../support/processes/main-node';
import { killAll } from '../../support/processes/processes';
import { expectSoon } from '../../support/promised';
import { ownDirectory, startMariadb } from '../../support/servers/services';
import { openSilentProxy, type SilentProxy } from '../../support/proxies/silent-proxy';
import { until } from '../../support/until';

const SENDERS = 40;
const PAUSE_MS = 50;
/** Longer than the default, so that a busy machine's own slowness does not matter. */
const DEADLINE_MS = 8000;

const own = ownDirectory();
let database: Awaited<ReturnType<typeof startMariadb>>;
let proxy: SilentProxy;
let cluster: Cluster;
let node: MainNode;
let caller: Caller;

const startOwn = (more: object = {}) =>
  startMariadb({ dir: join(own.path, 'mariadb'), durable: true, everything: true, ...more });

beforeAll(async () => {
  database = await startOwn();
  proxy = await openSilentProxy(database.port);
  const shared = process.env['TEST_DATABASE_URL'];
  process.env['TEST_DATABASE_URL'] = database.url;
  cluster = await openCluster({ RATE_LIMIT: 'off', MYSQL_ACQUIRE_MS: '5000', MYSQL_DEADLINE_MS: String(DEADLINE_MS) });
  process.env['TEST_DATABASE_URL'] = shared;
  await cluster.seed();
  const behindProxy = new URL(cluster.environment['DATABASE_URL']!);
  behindProxy.port = String(proxy.port);
  node = await startMainNode({ ...cluster.environment, DATABASE_URL: behindProxy.href });
  caller = await callerOf(node, 'member@example.com');
});
afterAll(async () => {
  await killAll();
  await cluster.close().catch(() => {});
  await proxy.close();
  await database.kill();
  own.remove();
});

/** Resolves once the server answers a client of the test's own. */
const serverAnswers = () =>
  until(async () => {
    const connection = await createConnection({ uri: database.url, connectTimeout: 500 }).catch(() => undefined);
    if (!connection) return false;
    const isAnswered = await connection.query('SELECT 1').then(
      () => true,
      () => false,
    );
    connection.destroy();
    return isAnswered;
  });

interface Measured {
  /** From the loss on. */
  readonly serverBackMs: number;
  readonly sendsBackMs: number;
}

/** Sends continuously, loses the server, and waits until every sender was served again. */
async function measure(lose: () => Promise<void>): Promise<Measured> {
  const lastOk = new Map<number, number>();
  let isOver = false;
  const senders = Array.from({ length: SENDERS }, async (_, index) => {
    while (!isOver) {
      const form = { type: 'stream', to: 'test', topic: `topic ${index}`, content: 'hello' };
      const answer = await node.call('/api/v1/messages', { form, headers: caller.headers }).catch(() => undefined);
      if (answer?.status === 200) lastOk.set(index, performance.now());
      await wait(PAUSE_MS);
    }
  });
  const allServedSince = (moment: number) =>
    until(() => [...lastOk.values()].filter((at) => at > moment).length === SENDERS);
  await allServedSince(performance.now());
  const lostAt = performance.now();
  await lose();
  const serverBackAt = performance.now();
  await allServedSince(serverBackAt);
  const sendsBackAt = performance.now();
  isOver = true;
  await Promise.all(senders);
  const measured = { serverBackMs: serverBackAt - lostAt, sendsBackMs: sendsBackAt - lostAt };
  process.stdout.write(
    `MySQL back after ${(measured.serverBackMs / 1000).toFixed(1)} s, sends after ${(measured.sendsBackMs / 1000).toFixed(1)} s\n`,
  );
  return measured;
}

test('Every sender is served again within three seconds after a killed MySQL server returns', async () => {
  const { serverBackMs, sendsBackMs } = await measure(async () => {
    await database.kill();
    database = await startOwn({ port: database.port, password: database.password });
    await serverAnswers();
  });
  expectSoon(sendsBackMs, serverBackMs + 3000);
});

test.each(['first', 'second'])(
  'When the MySQL machine is lost for the %s time, callers wait for one deadline, not for one per connection',
  async () => {
    const { sendsBackMs } = await measure(async () => {
      proxy.deafen(true);
      proxy.silence();
      await wait(DEADLINE_MS / 2);
      proxy.deafen(false);
      await serverAnswers();
    });
    // Nothing reports that a machine is lost: statements in flight wait for their deadline. A second deadline, for a
    // connection that had been idle, doubled the time.
    expectSoon(sendsBackMs, DEADLINE_MS * 1.7);
  },
);
