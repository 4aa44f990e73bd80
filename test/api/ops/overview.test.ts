import { translatorOf } from '../../../web/shared/texts/sentences';
import german from '../../../web/shared/texts/operators/de.json';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { operator, type OperatorClient } from '../../support/operators';
import { until } from '../../support/until';

let cluster: Cluster;
let node: TestNode;
let full: OperatorClient;

beforeAll(async () => {
  cluster = await openCluster({ SAMPLE_MS: '500', RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node({ NODE_NAME: 'north' });
  full = await operator(node.kernel, node, 'ada', 'read');
});
afterAll(() => cluster.close());

interface Point {
  readonly at: string;
  readonly requests_per_second: number | null;
  readonly events_per_second: number | null;
  readonly redis_clients: number | null;
  readonly waiting: number | null;
}
const overview = async () => (await full.get('/overview')).body;
const history = async (span: string) => (await full.get('/history', { span })).body as { points: Point[] };

test('The overview shows nodes, servers and problems, with the problems first and advice for each', async () => {
  const south = await cluster.node({ NODE_NAME: 'south' });
  const names = ({ nodes }: { nodes: { name: string }[] }) => nodes.map(({ name }) => name);
  const shown = await until(overview, (body) => names(body).join() === 'north,south');
  expect(shown.nodes[0]).toMatchObject({ pid: process.pid, node_version: process.version, is_draining: false });
  expect(shown.redis).toMatchObject({ version: expect.stringMatching(/^\d+\.\d/), clients: expect.any(Number) });
  expect(shown.mysql).toMatchObject({ version: expect.stringContaining('MariaDB'), connections: expect.any(Number) });
  expect(shown.mysql.connections).toBeGreaterThan(0);
  const [first] = shown.findings;
  expect(first).toMatchObject({ check: 'workers', level: 'fail', advice: expect.stringContaining('Start') });
  const levels = shown.findings.map(({ level }: { level: string }) => level);
  expect(levels).toEqual(
    [...levels].sort((a, b) => ['fail', 'warn', 'ok'].indexOf(a) - ['fail', 'warn', 'ok'].indexOf(b)),
  );
  // The same checks as those of the doctor command.
  for (const check of ['node-version', 'redis-version', 'mysql-isolation', 'migrations', 'secret-key', 'clocks'])
    expect(shown.findings).toContainEqual(expect.objectContaining({ check }));
  await south.close();
  await until(overview, (body) => names(body).join() === 'north');
});

test('Requests are counted by route and in the history, which is bounded', async () => {
  for (let n = 0; n < 5; n += 1) await node.call('/api/v1/server_settings');
  const shown = await until(overview, ({ slowest_routes: routes }) => routes.length > 0);
  expect(shown.slowest_routes.length).toBeLessThanOrEqual(10);
  const seen = (body: { slowest_routes: { route: string }[] }) =>
    body.slowest_routes.some(({ route }) => route === 'GET /api/v1/server_settings');
  await until(overview, seen);
  for (const [span, count, seconds] of [
    ['hour', 60, 62 * 60],
    ['day', 144, 146 * 600],
  ] as const) {
    const { points } = await until(
      () => history(span),
      ({ points: all }) => all.some((point) => point.requests_per_second !== null && point.redis_clients !== null),
    );
    expect(points).toHaveLength(count);
    expect(points[0]).toMatchObject({ requests_per_second: null, waiting: null });
    const last = points.findLast(({ redis_clients: clients }) => clients !== null)!;
    expect(last.redis_clients).toBeGreaterThan(0);
    const keys = await node.kernel.redis.commands.keys(`${node.kernel.namespace}:*:history:${span}:*`);
    for (const key of keys) {
      const left = await node.kernel.redis.commands.ttl(key);
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(seconds);
      expect(await node.kernel.redis.commands.hlen(key)).toBeLessThanOrEqual(9);
    }
    expect(keys.length).toBeLessThanOrEqual(3);
  }
  expect((await full.get('/history', { span: 'year' })).status).toBe(400);
});

test('Every work queue has a remark, and every remark and finding has a German translation', async () => {
  const { work_queues: workQueues } = (await full.get('/work-queues')).body as { work_queues: { about: string }[] };
  const { findings } = (await overview()) as { findings: { check: string; says: string; advice: string | null }[] };
  const remarks = workQueues.map(({ about }) => about);
  expect(
    Object.keys(german)
      .filter((sentence) => sentence.includes('; subject is '))
      .toSorted(),
  ).toEqual(remarks.toSorted());
  const said = findings.flatMap(({ check, says, advice }) => [check, says, ...(advice === null ? [] : [advice])]);
  // A text that is only a version is the same in all languages.
  const missing = said.filter((text) => translatorOf(german)(text) === undefined && !/^MariaDB [\d.]+$/.test(text));
  expect(missing).toEqual([]);
});
