import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import type { Abuse } from './abuse';
import { until } from '../support/until';
import { attack, ATTACK_MS, IS_TIMED, openTargets, type Targets } from './stand';

const folder = join(__dirname, 'abuses');

/** Every file of the folder is an abuse: a new one runs without being listed anywhere. */
const abuses: Abuse[] = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => Object.values(require(join(folder, name)) as Record<string, Abuse>));

let cluster: Cluster;
let targets: Targets;

beforeAll(async () => {
  cluster = await openCluster({ PASSWORD_ROUNDS: '5' });
  await cluster.seed();
  targets = openTargets(cluster);
});
afterAll(async () => {
  await targets.close();
  await cluster.close();
});

test.each(abuses.map((abuse) => [abuse.name, abuse] as const))(
  'A node with a heap of 512 MB serves other users during the abuse %s',
  async (_, abuse) => {
    const target = await targets.of(abuse);
    // On a busy machine, an attack may be over before it has begun.
    const figures = await until(
      () => attack(target, abuse),
      ({ counts }) => Object.values(counts).some((count) => count > 0),
    );
    expect(figures.failures).toEqual({});
    expect(figures.requests).toBeGreaterThan(0);
    expect((await target.call('/healthz')).status).toBe(200);
    if (!IS_TIMED) return;
    expect(figures.healthzMaxMs).toBeLessThan(1000);
    expect(figures.requestP99Ms).toBeLessThan(1000);
  },
  ATTACK_MS + 600_000,
);
