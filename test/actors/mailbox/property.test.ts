import { setTimeout as wait } from 'node:timers/promises';
import { tenantOf } from '../../../src/kernel/actor/address';
import { Busy } from '../../../src/kernel/jobs/busy';
import { Fault } from '../../../src/kernel/fault';
import type { WakeOrder } from '../../../src/kernel/jobs/job';
import { findDue } from '../../../src/kernel/jobs/sweeper';
import type { Kernel } from '../../../src/kernel/kernel';
import { done, type Ending } from '../../../src/kernel/mailbox/ending';
import { defineMailbox, type Mail, type MailboxOptions, type Wake } from '../../../src/kernel/mailbox/mailbox';
import { kernelMailTable } from '../../../src/kernel/mailbox/kernel-mail';
import { commitWrites } from '../../../src/kernel/mysql/commit-statements';
import { mailboxWorker } from '../../../src/kernel/mailbox/worker';
import { chanceOf } from '../../support/chance';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { frailKernel } from '../../support/kernel/frail-kernel';

interface Body {
  readonly number: number;
  readonly isPoison: boolean;
}

/** Set it to the seed in a failed test's title to repeat the same choices. */
const SEED = Number(process.env['MAILBOX_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const TENANT = tenantOf('probe', 'mail');
const ADDRESSES = ['a', 'b', 'c', 'd'];
const MAILS = 24;
const LEASE_MS = 150;
const WORKERS = 5;
const MAX_MS = 90_000;

let cluster: Cluster;
let kernel: Kernel;
let isOver = false;

beforeAll(async () => {
  cluster = await openCluster({ LEASE_MS: String(LEASE_MS) });
  kernel = await cluster.kernel();
  await kernel.mysql.raw(
    'CREATE TABLE probe_effects (id BIGINT AUTO_INCREMENT PRIMARY KEY, mailbox VARCHAR(40), at VARCHAR(40), number INT)',
  );
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => cluster.close());

/** Dies, freezes or does neither, at a random MySQL call. */
function fateOf(chance: () => number): () => Promise<void> {
  const die = chance() < 0.25 ? 1 + Math.floor(chance() * 12) : Infinity;
  const freeze = chance() < 0.25 ? 1 + Math.floor(chance() * 12) : Infinity;
  const frozenMs = chance() * 3 * LEASE_MS;
  let calls = 0;
  let thaw: Promise<unknown> = Promise.resolve();
  return async () => {
    calls += 1;
    if (calls === freeze) thaw = wait(frozenMs);
    await thaw;
    if (calls >= die || isOver) throw new Error('this worker is dead');
  };
}

/** The work of a mailbox on workers that die and freeze, with lost wakes. */
function startChaos(name: string, own: Pick<Partial<MailboxOptions<Body>>, 'batch' | 'order'>, chance: () => number) {
  const mailbox = defineMailbox(name, {
    table: kernelMailTable<Body>(name),
    concurrency: WORKERS,
    attempts: 1000,
    pauseMs: () => 5 + chance() * 30,
    attemptMs: 5000,
    isRepeatable: true,
    order: 'strict',
    maxInATurn: 5,
    keep: {},
    sweepMs: 60,
    ...own,
  });
  const handled = new Set<string>();
  const tooEarly: string[] = [];

  async function handle(mails: readonly Mail<Body>[]): Promise<readonly Ending[]> {
    const [first] = mails;
    const before = (await kernel
      .mysql('kernel_mail')
      .where({ mailbox: name, address: first!.at, state: 'pending' })
      .where('id', '<', first!.id)) as unknown[];
    if (before.length > 0 && mailbox.order === 'strict') tooEarly.push(`${first!.at}/${first!.body.number}`);
    for (const { at, body } of mails) handled.add(`${at}/${body.number}`);
    if (chance() < 0.3) await wait(chance() * LEASE_MS);
    if (chance() < 0.1) throw new Error('the other end is away');
    return mails.map(({ at, body: { number, isPoison } }) => {
      if (isPoison && mails.length === 1) throw new Fault('invalid', 'Nobody can read this');
      return done({ write: ({ db }) => db('probe_effects').insert({ mailbox: name, at, number }) });
    });
  }

  const worker = mailboxWorker(mailbox, { handle: (_turn, mails) => handle(mails) });
  const queue = new Map<string, Wake>();
  const add = ({ id, payload }: WakeOrder) => queue.set(id, payload as Wake);
  const wake = (...orders: readonly WakeOrder[]) => {
    // A lost wake is lost silently.
    for (const order of orders) if (chance() > 0.2) setTimeout(() => add(order), order.afterMs ?? 0);
  };
  const { signal } = new AbortController();

  async function takeTurns(): Promise<void> {
    while (!isOver) {
      const [next] = queue;
      if (!next) {
        await wait(5);
        continue;
      }
      queue.delete(next[0]);
      const frail = frailKernel(kernel, fateOf(chance), { wake });
      try {
        await worker.run(frail, next[1], { signal });
        await worker.after!(frail, next[1]);
      } catch (error) {
        if (error instanceof Busy) setTimeout(() => queue.set(...next), error.retryMs);
      }
    }
  }

  async function sweepAgain(): Promise<void> {
    const sweeps = worker.sweeps!({ ...kernel, jobs: { ...kernel.jobs, wake } });
    while (!isOver) {
      for (const { sweep, rows } of await findDue(kernel.mysql, sweeps)) {
        if (rows instanceof Error) throw rows;
        if (rows.length > 0) await sweep.found(rows);
      }
      await wait(60);
    }
  }

  const running = Promise.all([...Array.from({ length: WORKERS }, takeTurns), sweepAgain()]);
  return { mailbox, handled, tooEarly, running };
}

const isPoisonAt = (number: number): boolean => number % 10 === 7;

async function untilNothingWaits(mailbox: string): Promise<void> {
  // Not by Date.now, which jumps.
  const end = performance.now() + MAX_MS;
  for (;;) {
    const waiting = (await kernel.mysql('kernel_mail').where({ mailbox, state: 'pending' })) as { address: string }[];
    if (waiting.length === 0) return;
    if (performance.now() > end) throw new Error(`not done in time: ${JSON.stringify(waiting.slice(0, 3))}`);
    await wait(25);
  }
}

test.each([
  ['one by one', SEED, {}],
  ['in batches', SEED + 1, { batch: 3 }],
  ['each as soon as it may be', SEED + 2, { order: 'loose' }],
] as const)(
  'Mail takes effect once, and in order unless order is loose, %s, whatever dies, freezes or is lost (seed %i)',
  async (_, seed, own) => {
    isOver = false;
    const chance = chanceOf(seed);
    const name = `probe-${seed}`;
    const realNow = Date.now.bind(Date);
    let jumpMs = 0;
    jest.spyOn(Date, 'now').mockImplementation(() => realNow() + jumpMs);
    const jumping = setInterval(() => (jumpMs = (chance() - 0.5) * 7_200_000), 20);
    const { mailbox, handled, tooEarly, running } = startChaos(name, own, chance);
    try {
      for (let number = 0; number < MAILS; number += 1) {
        for (const address of ADDRESSES) {
          const body = { number, isPoison: !('batch' in own) && isPoisonAt(number) };
          await commitWrites(kernel, (tx) => mailbox.at(TENANT, address).send(tx, body));
        }
      }
      await untilNothingWaits(name);
    } finally {
      isOver = true;
      clearInterval(jumping);
      await running.catch(() => {});
    }
    const numbers = Array.from({ length: MAILS }, (_each, number) => number);
    const effects = (await kernel.mysql('probe_effects').where({ mailbox: name }).orderBy('id')) as {
      at: string;
      number: number;
    }[];
    for (const address of ADDRESSES) {
      const wanted = numbers.filter((number) => 'batch' in own || !isPoisonAt(number));
      const found = effects.filter(({ at }) => at === address).map(({ number }) => number);
      expect('order' in own ? found.sort((a, b) => a - b) : found).toEqual(wanted);
      expect(numbers.filter((number) => !handled.has(`${address}/${number}`))).toEqual([]);
    }
    expect(tooEarly).toEqual([]);
    const failed = await kernel.mysql('kernel_mail').where({ mailbox: name, state: 'failed' });
    expect(failed).toHaveLength('batch' in own ? 0 : ADDRESSES.length * numbers.filter(isPoisonAt).length);
  },
);
