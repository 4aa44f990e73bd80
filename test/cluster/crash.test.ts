import { logEvent } from '../../src/kernel/event-log/log-publisher';
import { logInRedis } from '../../src/kernel/event-log/sources';
import type { Kernel } from '../../src/kernel/kernel';
import { clientOf } from '../support/http/client';
import { openCluster, type Cluster, type Environment } from '../support/kernel/cluster';
import { killAll, startProcess } from '../support/processes/processes';
import { addTo, openLedger, sumOf } from '../support/processes/probe/ledger';
import { PROBE_TENANT } from '../support/processes/probe/product';
import { until } from '../support/until';

let cluster: Cluster;
let witness: Kernel;

beforeAll(async () => {
  cluster = await openCluster({ JOB_REPLY_DEADLINE_MS: '20000' });
  witness = await cluster.kernel();
});
afterEach(killAll);
afterAll(() => cluster.close());

const entries = async (): Promise<string[]> => {
  const { events } = await logInRedis(witness, PROBE_TENANT).after(0);
  return events.map(({ body }) => body);
};

async function startNode(more: Environment) {
  const node = startProcess('test/support/processes/probe/node.ts', { ...cluster.environment, ...more });
  const [, port] = await node.line(/listening on (\d+)/);
  return { ...node, ...clientOf(`http://127.0.0.1:${port}`) };
}

/** Sends an event to a node that stops at the point, and kills the node there. */
async function killAt(point: string, body: string): Promise<void> {
  const node = await startNode({ PAUSE_AT: point });
  const answer = node.call('/probe/events', { json: { body } }).catch(() => 'cut');
  await node.line(new RegExp(`paused at ${point}`));
  node.kill('SIGKILL');
  await Promise.all([answer, node.ended]);
}

describe('kill -9 of the node that sends', () => {
  test.each(['after-commit', 'before-publish'])(
    'An event whose node is killed at %s is published by another process, once',
    async (point) => {
      await killAt(point, point);
      await until(entries, (told) => told.includes(point));
      // Once a later event has arrived, a second publication would have arrived too.
      await witness.outbox.sweep();
      await witness.transaction(async (tx) => tx.deliver(logEvent(PROBE_TENANT, `after ${point}`)));
      await until(entries, (told) => told.includes(`after ${point}`));
      expect((await entries()).filter((body) => body === point)).toHaveLength(1);
    },
  );

  test('A node that is killed before its commit stores nothing and publishes nothing', async () => {
    await killAt('before-commit', 'never');
    const node = await startNode({});
    await node.call('/probe/events', { json: { body: 'next' } });
    await until(entries, (told) => told.includes('next'));
    expect(await entries()).not.toContain('never');
  });
});

describe('kill -9 of the worker in the middle of a turn', () => {
  const startWorker = (more: Environment) =>
    startProcess('test/support/processes/probe/worker.ts', { ...cluster.environment, ...more });

  test('Another worker takes over the turn of a killed one, and the caller gets its reply', async () => {
    await openLedger(witness, 'killed');
    const doomed = startWorker({ NODE_NAME: 'doomed', PAUSE_AT: 'mid-call' });
    await doomed.line(/working/);
    const answer = addTo(witness, 'killed', 5);
    await doomed.line(/paused at mid-call/);
    const heir = startWorker({ NODE_NAME: 'heir' });
    await heir.line(/working/);
    doomed.kill('SIGKILL');
    expect(await answer).toEqual({ sum: 5, by: 'heir' });
    expect(await sumOf(witness, 'killed')).toBe(5);
  });

  test('Mail at the address of a killed worker is handled as soon as its lease expires, without a sweep', async () => {
    await openLedger(witness, 'unswept');
    const unswept = { JOB_LOCK_MS: '600000', SWEEP_AFTER_MS: '600000' };
    const doomed = startWorker({ ...unswept, NODE_NAME: 'doomed', PAUSE_AT: 'mid-call' });
    await doomed.line(/working/);
    const first = addTo(witness, 'unswept', 5);
    await doomed.line(/paused at mid-call/);
    const heir = startWorker({ ...unswept, NODE_NAME: 'heir' });
    await heir.line(/working/);
    doomed.kill('SIGKILL');
    expect(await first).toEqual({ sum: 5, by: 'heir' });
    expect(await addTo(witness, 'unswept', 1)).toEqual({ sum: 6, by: 'heir' });
  });

  test('A worker that was frozen for longer than its lease is refused when it wakes', async () => {
    await openLedger(witness, 'frozen');
    const frozen = startWorker({ NODE_NAME: 'frozen', PROBE_DAWDLE_MS: '1500' });
    await frozen.line(/working/);
    const answer = addTo(witness, 'frozen', 5);
    await frozen.line(/dawdling/);
    frozen.kill('SIGSTOP');
    const heir = startWorker({ NODE_NAME: 'heir' });
    expect(await answer).toEqual({ sum: 5, by: 'heir' });
    await addTo(witness, 'frozen', 1);
    frozen.kill('SIGCONT');
    await frozen.line(/about to write/);
    // It ends once the current turn is over.
    for (const worker of [frozen, heir]) worker.kill('SIGTERM');
    expect(await Promise.all([frozen.ended, heir.ended])).toEqual([0, 0]);
    expect(await sumOf(witness, 'frozen')).toBe(6);
  });
});
