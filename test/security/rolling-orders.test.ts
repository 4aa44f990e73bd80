// What the response to an order means while nodes and workers are restarted or killed behind the load balancer we ship.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedDemo } from '../../src/telephony/commands/seed-demo';
import { INSTANCE_ONE, INSTANCE_TWO } from '../api/telephony/people';
import { startHaproxy, type Haproxy } from '../cluster/balancers/haproxy-process';
import { bearer, clientOf, type Answer } from '../support/http/client';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { startMainNode, type MainNode } from '../support/processes/main-node';
import { killAll, startProcess, type TestProcess } from '../support/processes/processes';
import { pbxAt, type PbxSide } from '../support/telephony/telephony';
import { until } from '../support/until';
import { countRows } from './count-rows';

/**
 * A PBX does one order after the other, each with two calls: the change, and the check. The third of three takes this
 * six times, half of an order's deadline.
 */
const PBX_DELAY_MS = 1250;
const ORDERS_PER_PBX = 3;

const folder = mkdtempSync(join(tmpdir(), 'pbx-'));
let cluster: Cluster;
let pbx: PbxSide;
let nodes: MainNode[];
let worker: TestProcess;
let proxy: Haproxy;

beforeAll(async () => {
  const simulator = startProcess('simulators/pbx/main.ts', { DATA_DIR: folder, PBX_SIM_PORT: '0' });
  const [, pbxUrl = ''] = await simulator.line(/listening on (\S+),/);
  pbx = pbxAt(pbxUrl);
  // The defaults of production.
  const times = { DRAIN_NOTICE_MS: '2000', DRAIN_DEADLINE_MS: '25000' };
  cluster = await openCluster({ RATE_LIMIT: 'off', PBX_SWEEP_MS: '500', ...times });
  await seedDemo(await cluster.kernel(), pbxUrl);
  nodes = await Promise.all([startMainNode(cluster.environment), startMainNode(cluster.environment)]);
  await startWorker();
  proxy = await startHaproxy(nodes, '/readyz');
});
afterAll(async () => {
  await killAll();
  await proxy?.stop();
  await cluster?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function startWorker(): Promise<void> {
  worker = startProcess('workers/main.ts', { ...cluster.environment, LOG_LEVEL: 'info' });
  await worker.line(/worker ready/);
}

interface Placed {
  readonly instance: string;
  readonly number: number;
  readonly answer: Promise<Answer>;
  readonly again: () => Promise<Answer>;
}

const KEYS: Readonly<Record<string, string>> = { [INSTANCE_ONE]: 'demo-key-one', [INSTANCE_TWO]: 'demo-key-two' };
let lastNumber = 2000;

function place(instance: string): Placed {
  const number = (lastNumber += 1);
  const headers = { ...bearer(KEYS[instance]!), 'Idempotency-Key': randomUUID() };
  const order = () =>
    clientOf(proxy.url).call(`/instances/${instance}/bulks/extensions`, {
      headers,
      json: { data: { id: number, name: `Extension ${number}` } },
    });
  return { instance, number, answer: order(), again: order };
}

/** Places orders for both PBXs over both nodes, and waits until each PBX is busy with one. */
async function placeOrders(): Promise<Placed[]> {
  const both = [INSTANCE_ONE, INSTANCE_TWO];
  await pbx.fault({ mode: 'slow', delay_ms: PBX_DELAY_MS });
  const seen = async () => (await Promise.all(both.map((each) => pbx.requests(each)))).map(({ length }) => length);
  const before = await seen();
  const placed = Array.from({ length: ORDERS_PER_PBX }, () => both.map(place)).flat();
  await until(seen, (now) => now.every((count, at) => count > before[at]!));
  return placed;
}

/** Waits until nothing is left to do or undo, then compares every response with both sides. */
async function expectTruth(placed: readonly Placed[]): Promise<number[]> {
  const answers = await Promise.all(placed.map(({ answer }) => answer));
  await pbx.fault({ mode: 'ok' });
  const sql = "SELECT COUNT(*) AS count FROM tel_operations WHERE state IN ('pending', 'running', 'undoing')";
  await until(
    () => countRows(cluster.environment['DATABASE_URL']!, sql),
    (open) => open === 0,
  );
  for (const [at, { instance, number, again }] of placed.entries()) {
    const { status, body } = answers[at]!;
    let outcome = status;
    if (status !== 201 && status !== 502) {
      expect([503, 504]).toContain(status);
      expect({ status, body }).toEqual({
        status: expect.any(Number),
        body: { type: 'about:blank', title: expect.any(String), status, detail: expect.stringMatching(UNKNOWN) },
      });
      outcome = (await again()).status;
    }
    expect([201, 502]).toContain(outcome);
    const list = `/instances/${instance}/bulks/extensions?page_size=1000`;
    const { text } = await clientOf(proxy.url).call(list, { headers: bearer(KEYS[instance]!) });
    const exists = { onPbx: (await pbx.numbers(instance)).includes(number), listed: text.includes(`"id":${number},`) };
    expect({ outcome, ...exists }).toEqual({ outcome, onPbx: outcome === 201, listed: outcome === 201 });
  }
  return answers.map(({ status }) => status);
}
const UNKNOWN = /outcome is unknown.*same Idempotency-Key/;

async function restartNode(at: number): Promise<void> {
  const old = nodes[at]!;
  old.kill('SIGTERM');
  expect(await old.ended).toBe(0);
  nodes[at] = await startMainNode(cluster.environment, old.port);
}

const proxyIsServing = () =>
  until(
    () => Promise.all([1, 2].map(() => clientOf(proxy.url).call('/readyz'))),
    (answers) => answers.every(({ status }) => status === 200),
  );

test.each([0, 1])('While node %i is restarted, every order that waits on it is answered by that node', async (at) => {
  await proxyIsServing();
  const placed = await placeOrders();
  await restartNode(at);
  expect(new Set(await expectTruth(placed))).toEqual(new Set([201]));
});

test('While the worker is restarted during orders, every answer to an order is true', async () => {
  await proxyIsServing();
  const placed = await placeOrders();
  worker.kill('SIGTERM');
  expect(await worker.ended).toBe(0);
  await startWorker();
  const statuses = await expectTruth(placed);
  expect(statuses.filter((status) => status !== 201 && status !== 502)).toEqual([]);
});

test('While a node with waiting orders is killed, the load balancer answers that their outcome is unknown', async () => {
  await proxyIsServing();
  const placed = await placeOrders();
  nodes[0]!.kill('SIGKILL');
  await nodes[0]!.ended;
  const statuses = await expectTruth(placed);
  expect(statuses).toContain(504);
  nodes[0] = await startMainNode(cluster.environment, nodes[0]!.port);
});
