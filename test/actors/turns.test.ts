import { withLease, Busy } from '../../src/kernel/actor/lease';
import { Superseded } from '../../src/kernel/actor/fence';
import { takeLeased } from '../../src/kernel/actor/leased-turn';
import { redisKey, tenantOf } from '../../src/kernel/actor/address';
import { startConsumer } from '../../src/kernel/jobs/consume';
import type { Kernel } from '../../src/kernel/kernel';
import { openCluster, type Cluster } from '../support/cluster';
import { ledger, LEDGER_TENANT, openLedger, sumOf } from '../support/probe/ledger';
import { until } from '../support/until';

let cluster: Cluster;
let one: Kernel;
let two: Kernel;

beforeAll(async () => {
  // Ten turns that wait for one another: how long that takes on a loaded machine is not what is tested.
  // A job that a loaded machine lets stall would be run twice, and add twice.
  cluster = await openCluster({ ASK_DEADLINE_MS: '60000', JOB_LOCK_MS: '60000' });
  one = await cluster.kernel({ NODE_NAME: 'one' });
  two = await cluster.kernel({ NODE_NAME: 'two' });
  for (const kernel of [one, two]) await startConsumer(kernel, ledger.turns.add.consumer);
});
afterAll(() => cluster.close());

describe('one writer at a time, from two nodes', () => {
  test('by lease: no addition is lost', async () => {
    await openLedger(one, 'leased');
    const refs = [one, two].map((kernel) => ledger.at(kernel, LEDGER_TENANT, 'leased'));
    await Promise.all(Array.from({ length: 10 }, (_, index) => refs[index % 2]!.request('add', 1)));
    expect(await sumOf(one, 'leased')).toBe(10);
  });

  test('different addresses do not wait for each other', async () => {
    await Promise.all([openLedger(one, 'a'), openLedger(one, 'b')]);
    let inA = () => {};
    const held = withLease(
      one,
      { tenant: LEDGER_TENANT, kind: 'ledger', id: 'a' },
      () => new Promise<void>((done) => (inA = done)),
    );
    expect(await ledger.at(two, LEDGER_TENANT, 'b').request('add', 1)).toMatchObject({ sum: 1 });
    inA();
    await held;
  });
});

describe('a lease', () => {
  const address = (id: string) => ({ tenant: tenantOf('test', 'lease'), kind: 'thing', id });
  const keyOf = (id: string) => `${redisKey(one.namespace, address(id))}:lease`;

  test('held by another is Busy, and free again when given back', async () => {
    await withLease(one, address('busy'), async () => {
      await expect(withLease(two, address('busy'), () => Promise.resolve())).rejects.toBeInstanceOf(Busy);
    });
    await expect(withLease(two, address('busy'), () => Promise.resolve('mine'))).resolves.toBe('mine');
  });

  test('is kept for as long as the work takes', async () => {
    await withLease(one, address('kept'), async (signal) => {
      // It is put off again and again: what is left of it grows.
      let [left, renewals] = [Infinity, 0];
      await until(async () => {
        const now = await one.redis.commands.pttl(keyOf('kept'));
        if (now > left) renewals += 1;
        left = now;
        return renewals === 3;
      });
      expect(signal.aborted).toBe(false);
      expect(await one.redis.commands.exists(keyOf('kept'))).toBe(1);
    });
    expect(await one.redis.commands.exists(keyOf('kept'))).toBe(0);
  });

  test('that is lost stops its work, and is not given back for another', async () => {
    await withLease(one, address('lost'), async (signal) => {
      await one.redis.commands.set(keyOf('lost'), 'another');
      await until(() => signal.aborted);
    });
    expect(await one.redis.commands.get(keyOf('lost'))).toBe('another');
  });
});

describe('a leased turn', () => {
  const address = (id: string) => ({ tenant: LEDGER_TENANT, kind: 'ledger', id });

  test('of a stale holder is refused its write', async () => {
    await openLedger(one, 'stale');
    const { signal } = new AbortController();
    let resume: (() => void) | undefined;
    const stale = takeLeased(one, address('stale'), signal, async (turn) => {
      await new Promise<void>((resolve) => (resume = resolve));
      return turn.commit(({ db }) => db('probe_ledger').where({ id: 'stale' }).update({ sum: 100 }));
    });
    // It has its fence, which is older than the next one's.
    await until(() => resume !== undefined);
    expect(await one.redis.commands.del(`${redisKey(one.namespace, address('stale'))}:lease`)).toBe(1);
    await takeLeased(two, address('stale'), signal, (turn) =>
      turn.commit(({ db }) => db('probe_ledger').where({ id: 'stale' }).update({ sum: 7 })),
    );
    resume!();
    await expect(stale).rejects.toBeInstanceOf(Superseded);
    expect(await sumOf(one, 'stale')).toBe(7);
  });

  test('raises its fence by one each time, also at once', async () => {
    const fences = await Promise.all(
      Array.from({ length: 8 }, async (_, index) =>
        takeLeased(index % 2 ? one : two, address(`fence-${index % 4}`), one.lifecycle.draining, ({ fence }) =>
          Promise.resolve(fence),
        ).catch(() => 0),
      ),
    );
    expect(Math.max(...fences)).toBeGreaterThanOrEqual(1);
    const fence = await takeLeased(one, address('fence-0'), one.lifecycle.draining, (turn) =>
      Promise.resolve(turn.fence),
    );
    const next = await takeLeased(two, address('fence-0'), one.lifecycle.draining, (turn) =>
      Promise.resolve(turn.fence),
    );
    expect(next).toBe(fence + 1);
  });
});
