import { loadConfig } from '../../../config';
import { INSTANCE_ONE, INSTANCE_TWO, type Person } from '../../api/telephony/people';
import { killAll } from '../../support/processes/processes';
import { expectSoon, IS_TIMED } from '../../support/promised';
import { until } from '../../support/until';
import { openProcessStack, type ProcessStack } from './stack';

/** The intervals of a real stack: the test is about how soon a dead worker is replaced. */
const { leaseMs, jobLockMs, pbxSweepMs, sweepAfterMs, sweepIntervalMs, jobReplyPollMs, ...real } = loadConfig({});
/** A busy machine may be slower than these. */
const DEADLINES = { PBX_OPERATION_MS: String(real.pbxOperationMs), PBX_CALL_MS: String(real.pbxCallMs) };

let stack: ProcessStack;

beforeAll(async () => {
  stack = await openProcessStack({
    LEASE_MS: String(leaseMs),
    JOB_LOCK_MS: String(jobLockMs),
    PBX_SWEEP_MS: String(pbxSweepMs),
    SWEEP_AFTER_MS: String(sweepAfterMs),
    SWEEP_INTERVAL_MS: String(sweepIntervalMs),
    JOB_REPLY_POLL_MS: String(jobReplyPollMs),
    ...(IS_TIMED ? DEADLINES : {}),
  });
});
afterAll(async () => {
  await stack.close();
  await killAll();
});

const CLIENTS = 4;
const ROUNDS = 2;
/** Responses before and after each kill: several for each client, so that all of them were served and wait again. */
const ANSWERS = 6 * CLIENTS;
/** What clients are promised. */
const PROMISED_MS = 6000;

interface Answered {
  readonly status: number;
  readonly began: number;
  readonly ended: number;
}

let next = 1000;
const answered: Answered[] = [];
let isLoaded = true;
async function moreAnswers(): Promise<void> {
  const before = answered.length;
  await until(() => answered.length >= before + ANSWERS);
}

/** One order after the other, as fast as they are answered. */
async function client(by: Person, instance: string): Promise<void> {
  while (isLoaded) {
    const id = ++next;
    const began = Date.now();
    const { status } = await by('POST', `/instances/${instance}/bulks/extensions`, {
      data: { id, name: `Phone ${id}` },
    });
    answered.push({ status, began, ended: Date.now() });
  }
}

test('A worker killed under load costs no order: with a second one alive, every request that waits is answered 201', async () => {
  const { owner, stranger } = stack.people;
  // Long enough that some order always waits, and that a worker is killed in the middle of a call.
  await stack.pbx.fault({ mode: 'slow', delay_ms: 30 });
  let oldest = await stack.startWorker({ NODE_NAME: 'worker-0' });
  const clients = Array.from({ length: CLIENTS }, () => [client(owner, INSTANCE_ONE), client(stranger, INSTANCE_TWO)]);
  const kills: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const second = await stack.startWorker({ NODE_NAME: `worker-${round}` });
    await moreAnswers();
    oldest.kill('SIGKILL');
    kills.push(Date.now());
    await oldest.ended;
    // Until the waiting orders have been answered, and some more.
    await moreAnswers();
    oldest = second;
  }
  isLoaded = false;
  await Promise.all(clients.flat());
  expect(answered.filter(({ status }) => status !== 201)).toEqual([]);
  // Of the orders that waited when a worker was killed.
  const slowest = kills.map((at) =>
    Math.max(
      ...answered.filter(({ began, ended }) => began < at && at < ended).map(({ began, ended }) => ended - began),
    ),
  );
  // Some kill hit a worker that was calling a PBX: an order had to wait for its lease to expire.
  const hits = slowest.filter((tookMs) => tookMs > leaseMs / 2);
  expect(hits).not.toEqual([]);
  expectSoon(Math.min(...hits), PROMISED_MS);
  await stack.pbx.fault({ mode: 'ok' });
  for (const instance of [INSTANCE_ONE, INSTANCE_TWO]) {
    expect(await stack.differences(instance)).toEqual({ pbx: [], database: [] });
  }
});
