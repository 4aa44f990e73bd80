import { tenantOf } from '../../../src/kernel/actor/address';
import { housekeeping } from '../../../src/kernel/jobs/housekeeping';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { openTestDatabase } from '../../support/kernel/database';
import { DEAD_PORT } from '../../support/servers/services';
import { until } from '../../support/until';
import { cliOf, type Cli } from './run';

let cluster: Cluster;
let cli: Cli;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  cli = cliOf(cluster.environment);
});
afterAll(() => cluster.close());

describe('partyline status', () => {
  test('The command status prints counts of everything in the installation', async () => {
    // The events of the demo data are published a moment after they were written.
    const { code, err, json } = await until(
      () => cli(['status', '--json']),
      (answer) => answer.json.mysql.outbox.pending === 0,
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(json).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      node_version: process.version,
      environment: 'test',
      redis: { ok: true, version: expect.stringMatching(/^\d+\./), queues: [] },
      mysql: {
        ok: true,
        version: expect.stringMatching(/^(MariaDB|MySQL) \d+\./),
        pending_migrations: [],
        chat: { realms: 1, users: 6 },
        telephony: { companies: 2 },
        outbox: { pending: 0, oldest_ms: null },
      },
    });
  });

  test('The command status prints aligned lines', async () => {
    const { out } = await cli(['status']);
    expect(out).toMatch(/^migrations {2}none pending$/m);
    expect(out).toMatch(/^chat {8}1 organization, 6 users$/m);
    expect(out).toMatch(/^telephony {3}2 companies$/m);
    expect(out).toMatch(/^outbox {6}0 rows pending$/m);
  });

  test('The command status shows a backlog with the age of its oldest row, and the queues', async () => {
    const kernel = await cluster.kernel({ SWEEP_AFTER_MS: '60000' });
    const tenant = tenantOf('test', 'backlog');
    const row = { publisher: 'nobody', tenant, body: '{}' };
    await kernel.mysql('kernel_outbox').insert([
      { ...row, created_at: kernel.mysql.raw('NOW(3) - INTERVAL 90 SECOND') },
      { ...row, created_at: kernel.mysql.raw('NOW(3)') },
      { ...row, created_at: kernel.mysql.raw('NOW(3)'), published_at: kernel.mysql.raw('NOW(3)') },
    ]);
    await kernel.jobs.schedule(housekeeping.job, 3_600_000, null);

    const { json } = await cli(['status', '--json']);
    expect(json.mysql.outbox.pending).toBe(2);
    expect(json.mysql.outbox.oldest_ms).toBeGreaterThan(89_000);
    expect(json.mysql.outbox.oldest_ms).toBeLessThan(180_000);
    expect(json.redis.queues).toMatchObject([{ queue: 'housekeeping', active: 0, failed: 0 }]);
    const { out } = await cli(['status']);
    expect(out).toMatch(/^outbox {6}2 rows pending, the oldest for \d+\.\d s$/m);
    expect(out).toMatch(/^queues {6}housekeeping: \d+ waiting, 0 active, \d+ delayed, 0 failed$/m);
  });

  test('The command status shows whether the nodes are ready', async () => {
    const node = await cluster.node({ NODE_NAME: 'one' });
    const environment = { PORT: String(node.port), NODES: '1' };
    const up = await cli(['status', '--json'], { environment });
    expect(up.json.nodes).toEqual([{ url: node.url, status: 'ready', name: 'one' }]);

    await node.close();
    const down = await cli(['status', '--json'], { environment });
    expect(down).toMatchObject({ code: 0, json: { nodes: [{ url: node.url, status: 'not answering', name: null }] } });
  });

  test('The command status names the servers that are unreachable, and fails', async () => {
    const dead = `127.0.0.1:${DEAD_PORT}`;
    const environment = { REDIS_URL: `redis://${dead}`, DATABASE_URL: `mysql://a@${dead}/p` };
    const { code, json } = await cli(['status', '--json'], { environment });
    expect(code).toBe(1);
    const away = { ok: false, address: dead, error: 'connection refused' };
    expect(json).toMatchObject({ redis: away, mysql: away });
    const { out } = await cli(['status'], { environment });
    expect(out).toMatch(new RegExp(`^mysql {6}127\\.0\\.0\\.1:${DEAD_PORT} cannot be used: connection refused$`, 'm'));
  });

  test('The command status names migrations that are pending, and fails', async () => {
    const database = await openTestDatabase({ migrated: false });
    const { code, json } = await cli(['status', '--json'], { environment: { DATABASE_URL: database.url } });
    await database.drop();
    expect(code).toBe(1);
    expect(json.mysql.pending_migrations).toContain('20261115000000_create_kernel_tables');
    expect(json.mysql).not.toHaveProperty('chat');
  });
});
