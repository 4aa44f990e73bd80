// The release before and this one on one store, under load, while the first gives way to the second.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { actAs } from '../api/telephony/people';
import { countRows } from '../security/count-rows';
import { kinds, type IsDone } from '../security/durable-kinds';
import type { OperatorClient } from '../support/operators';
import { openCluster, type Cluster, type Environment } from '../support/cluster';
import { unpackRelease } from '../support/former-release';
import { startMainNode } from '../support/main-node';
import { openOtherServer, OTHER_SERVER, type OtherServer } from '../support/other-server';
import { killAll, startProcess, type TestProcess } from '../support/processes';
import { until } from '../support/until';
import { noteFigures } from './failover-load';
import { UpgradeLoad } from './upgrade-load';

const FORMER = unpackRelease('0.1.0');
/** `npm run faults` has more. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? '1');

jest.setTimeout(900_000 + ROUNDS * 120_000);

let cluster: Cluster;
let other: OtherServer;
let pbxFolder: string;

async function run(args: string[], environment: Environment, folder?: string): Promise<void> {
  const command = startProcess('cli/main.ts', environment, args, folder);
  const code = await command.ended;
  if (code !== 0) throw new Error(`partyline ${args.join(' ')} ended with ${code}:\n${command.output()}`);
}

async function startWorker(folder?: string): Promise<TestProcess> {
  const worker = startProcess('workers/main.ts', { ...cluster.environment, LOG_LEVEL: 'info' }, [], folder);
  await worker.line(/worker ready/);
  return worker;
}

async function stop(child: TestProcess): Promise<void> {
  child.kill('SIGTERM');
  expect(await child.ended).toBe(0);
}

/** Texts that no carrier has got yet. */
const unsentTexts = () =>
  countRows(cluster.environment['DATABASE_URL']!, 'SELECT COUNT(*) AS count FROM tel_text_sends WHERE status_rank < 2');

/** Nobody begins such work: it is on a schedule. */
const isScheduled = (kind: string): boolean => /^housekeeping$|-(sweep|start|retention|missed-messages)$/.test(kind);

describe.each(Array.from({ length: ROUNDS }, (_, round) => [round + 1]))('Upgrade %i', () => {
  /** The store of the release before: its tables, its demo data. */
  beforeAll(async () => {
    other = await openOtherServer();
    pbxFolder = mkdtempSync(join(tmpdir(), 'pbx-'));
    const simulator = startProcess('simulators/pbx/main.ts', { DATA_DIR: pbxFolder, PBX_SIM_PORT: '0' });
    const [, pbxUrl = ''] = await simulator.line(/listening on (\S+),/);
    cluster = await openCluster(
      {
        ...OTHER_SERVER,
        RATE_LIMIT: 'off',
        EVENTS_RATE_LIMIT: 'off',
        SOCKET_AUTH_LIMIT: 'off',
        LEASE_MS: '3000',
        JOB_LOCK_MS: '3000',
        RECONCILE_MS: '2000',
        PBX_SIM_PORT: new URL(pbxUrl).port,
      },
      { migrated: false },
    );
    await run(['migrate'], cluster.environment, FORMER);
    await run(['seed'], cluster.environment, FORMER);
  });
  afterAll(async () => {
    await killAll();
    await cluster.close();
    await other.close();
    rmSync(pbxFolder, { recursive: true, force: true });
  });

  test('Nodes and workers of two releases share a store under load: nothing is lost or doubled, and nobody registers anew', async () => {
    const [former, formerWorker] = await Promise.all([
      startMainNode(cluster.environment, undefined, FORMER),
      startWorker(FORMER),
    ]);
    const nodes = [former];
    const load = await UpgradeLoad.open(former, () => nodes.map(({ url }) => url), other);
    load.start();
    await load.goesOn();
    await run(['migrate'], cluster.environment);
    const [node, worker] = await Promise.all([startMainNode(cluster.environment), startWorker()]);
    nodes.push(node);
    await load.goesOn();
    await stop(formerWorker);
    const recovery = [await load.goesOn()];
    nodes.shift();
    await stop(former);
    recovery.push(await load.goesOn());

    const { figures, problems, registrations } = await load.finish();
    await until(unsentTexts, (unsent) => unsent === 0);
    await load.close();
    await Promise.all([stop(node), stop(worker)]);
    for (const { kind, ...counts } of figures) {
      const seconds = Math.max(...recovery.map((each) => each[kind] ?? 0)) / 1000;
      noteFigures('Upgrade from 0.1.0', { kind, ...counts, seconds });
      // The call that a worker has under way when it is told to stop is called off, and made again by the next one.
      const again = kind === 'calls' ? Math.min(counts.doubled, 1) : 0;
      expect({ kind, lost: counts.lost, doubled: counts.doubled - again }).toEqual({ kind, lost: 0, doubled: 0 });
      expect(counts.received).toBeGreaterThanOrEqual(counts.acknowledged);
    }
    expect({ problems, registrations }).toEqual({ problems: [], registrations: [1, 1, 1] });
  });

  test('Work of every kind that a node of the release before begins is done by a worker of this one', async () => {
    const node = await startMainNode(cluster.environment, undefined, FORMER);
    const databaseUrl = cluster.environment['DATABASE_URL']!;
    // Nobody asks for what is on a schedule.
    const operator = {} as OperatorClient;
    const around = { client: node, owner: actAs(node, 'demo-key-one'), operator, databaseUrl, other };
    const begun = new Map<string, IsDone>();
    for (const [kind, begin] of Object.entries(kinds)) {
      if (!isScheduled(kind)) begun.set(kind, await begin(around));
    }
    const since = new Date();
    await startWorker();
    let left = [...begun.keys()];
    await until(
      async () => {
        const done = await Promise.all(left.map((kind) => begun.get(kind)!(since)));
        left = left.filter((_, index) => !done[index]);
        return left;
      },
      ({ length }) => length === 0,
    );
  });
});
