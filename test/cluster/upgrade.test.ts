// Two releases on one store, under load, while the first gives way to the second. UPGRADE_FROM and UPGRADE_TO name the
// folders of built releases (docs/UPGRADING.md). Without them this state is upgraded to itself with one more migration.
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { actAs } from '../api/telephony/people';
import { countRows } from '../security/count-rows';
import { kinds, SCHEDULED, type IsDone } from '../security/durable-kinds';
import type { OperatorClient } from '../support/operators';
import { openCluster, type Cluster, type Environment } from '../support/kernel/cluster';
import { startMainNode } from '../support/processes/main-node';
import { openOtherServer, OTHER_SERVER, type OtherServer } from '../support/servers/other-server';
import { killAll, startProcess, type TestProcess } from '../support/processes/processes';
import { until } from '../support/until';
import { noteFigures } from './redis/failover-load';
import { UpgradeLoad } from './upgrade-load';

const HERE = join(__dirname, '../..');
const FROM = process.env['UPGRADE_FROM'] ?? HERE;
let to = process.env['UPGRADE_TO'] ?? '';
let scratch: string | undefined;
/** `npm run faults` has more. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? '1');

jest.setTimeout(900_000 + ROUNDS * 120_000);

let cluster: Cluster;
let other: OtherServer;
let pbxFolder: string;

/** As a later release may have one: it changes tables that are in use. */
const MIGRATION = `exports.up = (db) => db.raw(
  'ALTER TABLE kernel_mail ADD COLUMN scratch INT NULL; ' +
  'ALTER TABLE kernel_outbox ADD COLUMN scratch INT NOT NULL DEFAULT 1; ' +
  'ALTER TABLE chat_messages ADD COLUMN scratch VARCHAR(20) NOT NULL DEFAULT "x", ADD INDEX chat_scratch (scratch); ' +
  'ALTER TABLE tel_text_sends ADD COLUMN scratch INT NULL; ' +
  'CREATE TABLE tel_scratch (id INT PRIMARY KEY)');
exports.down = () => Promise.reject(new Error('nobody takes it back'));`;

/** Below ours, where it finds the packages that are installed. */
function addMigration(): string {
  mkdirSync(join(HERE, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(HERE, '.cache/upgrade-'));
  copyFileSync(join(HERE, 'package.json'), join(folder, 'package.json'));
  for (const part of ['src', 'workers', 'cli', 'config']) {
    cpSync(join(HERE, 'dist', part), join(folder, 'dist', part), { recursive: true });
  }
  writeFileSync(join(folder, 'dist/src/kernel/mysql/migrations/29991231000000_scratch.js'), MIGRATION);
  return folder;
}

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
const isScheduled = (kind: string): boolean => SCHEDULED.includes(kind) || kind.endsWith('-start');

describe.each(Array.from({ length: ROUNDS }, (_, round) => [round + 1]))('Upgrade %i', () => {
  /** The store of the first release: its tables, its demo data. */
  beforeAll(async () => {
    if (to === '') to = scratch = addMigration();
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
        // Long, because a worker that a busy machine holds up must not lose its lease: a call would be made again.
        LEASE_MS: '15000',
        JOB_LOCK_MS: '15000',
        RECONCILE_MS: '2000',
        PBX_SIM_PORT: new URL(pbxUrl).port,
      },
      { migrated: false },
    );
    await run(['migrate'], cluster.environment, FROM);
    await run(['seed'], cluster.environment, FROM);
  });
  afterAll(async () => {
    await killAll();
    await cluster.close();
    await other.close();
    for (const folder of [pbxFolder, scratch]) if (folder) rmSync(folder, { recursive: true, force: true });
    if (scratch) to = '';
  });

  test('Nodes and workers of two releases share a store under load: nothing is lost or doubled, and nobody registers anew', async () => {
    const [first, firstWorker] = await Promise.all([
      startMainNode(cluster.environment, undefined, FROM),
      startWorker(FROM),
    ]);
    const nodes = [first];
    const load = await UpgradeLoad.open(first, () => nodes.map(({ url }) => url), other);
    load.start();
    await load.goesOn();
    await run(['migrate'], cluster.environment, to);
    const [node, worker] = await Promise.all([startMainNode(cluster.environment, undefined, to), startWorker(to)]);
    nodes.push(node);
    await load.goesOn();
    await stop(firstWorker);
    const recovery = [await load.goesOn()];
    nodes.shift();
    await stop(first);
    recovery.push(await load.goesOn());

    const { figures, problems, registrations } = await load.finish();
    await until(unsentTexts, (unsent) => unsent === 0);
    await load.close();
    await Promise.all([stop(node), stop(worker)]);
    for (const { kind, ...counts } of figures) {
      const seconds = Math.max(...recovery.map((each) => each[kind] ?? 0)) / 1000;
      noteFigures('Upgrade', { kind, ...counts, seconds });
      // The call that a worker has under way when it is told to stop is called off, and made again by the next one.
      const again = kind === 'calls' ? Math.min(counts.doubled, 1) : 0;
      expect({ kind, lost: counts.lost, doubled: counts.doubled - again }).toEqual({ kind, lost: 0, doubled: 0 });
      expect(counts.received).toBeGreaterThanOrEqual(counts.acknowledged);
    }
    expect({ problems, registrations }).toEqual({ problems: [], registrations: [1, 1, 1] });
  });

  test('Work of every kind that a node of the first release begins is done by a worker of the second', async () => {
    const node = await startMainNode(cluster.environment, undefined, FROM);
    const databaseUrl = cluster.environment['DATABASE_URL']!;
    // Nobody asks for what is on a schedule.
    const operator = {} as OperatorClient;
    const around = { client: node, owner: actAs(node, 'demo-key-one'), operator, databaseUrl, other };
    const begun = new Map<string, IsDone>();
    for (const [kind, begin] of Object.entries(kinds)) {
      if (!isScheduled(kind)) begun.set(kind, await begin(around));
    }
    const since = new Date();
    await startWorker(to);
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
