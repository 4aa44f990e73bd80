/** Mailboxes for tests: each call creates a new one, in the kernel's table. */
import { tenantOf } from '../../../src/kernel/actor/address';
import { startConsumer } from '../../../src/kernel/jobs/consume';
import { readBacklogs, type Backlog, type WorkQueueAdmin } from '../../../src/kernel/jobs/work-queue-admin';
import type { WakeOrder } from '../../../src/kernel/jobs/job';
import type { Kernel } from '../../../src/kernel/kernel';
import { done, type Ending } from '../../../src/kernel/mailbox/ending';
import { defineMailbox, type Mail, type Mailbox, type MailboxOptions } from '../../../src/kernel/mailbox/mailbox';
import { kernelMailTable } from '../../../src/kernel/mailbox/kernel-mail';
import { takeTurn } from '../../../src/kernel/mailbox/turn';
import { each, type MailTurn } from '../../../src/kernel/mailbox/work';
import { mailboxWorker } from '../../../src/kernel/mailbox/worker';
import { commitWrites } from '../../../src/kernel/mysql/commit-statements';
import { until } from '../until';

export const TENANT = tenantOf('probe', 'one');

export type Body = { readonly word: string };
export type HandleOne = (turn: MailTurn, mail: Mail<Body>) => Promise<Ending>;

let made = 0;
export function mailboxWith(own: Partial<MailboxOptions<Body>> = {}): Mailbox<Body> {
  made += 1;
  const name = `probe-mail-${made}`;
  return defineMailbox(name, {
    table: kernelMailTable<Body>(name),
    concurrency: 4,
    attempts: 3,
    pauseMs: () => 20,
    attemptMs: 5000,
    isRepeatable: true,
    order: 'strict',
    maxInATurn: 100,
    keep: {},
    ...own,
  });
}

/** To the address x by default. */
export const sendBy =
  (kernel: Kernel) =>
  (mailbox: Mailbox<Body>, word: string, address = 'x', tenant = TENANT): Promise<void> =>
    commitWrites(kernel, (tx) => mailbox.at(tenant, address).send(tx, { word }));

export interface MailRow {
  readonly state: string;
  readonly attempts: number;
  readonly reason: string | null;
}

export const rowsOf = async ({ mysql }: Kernel, mailbox: Mailbox<Body>) =>
  (await mysql('kernel_mail').where({ mailbox: mailbox.name }).orderBy('id')) as MailRow[];

export const areOver = (kernel: Kernel, mailbox: Mailbox<Body>) =>
  until(async () => (await rowsOf(kernel, mailbox)).every(({ state }) => state !== 'pending'));

export const start = (kernel: Kernel, mailbox: Mailbox<Body>, handle: HandleOne): Promise<void> =>
  startConsumer(kernel, mailboxWorker(mailbox, { handle: each(handle) }));

export const backlogOf = async (kernel: Kernel, admin: WorkQueueAdmin): Promise<Backlog> =>
  (await readBacklogs(kernel, [admin]))[0]!;

/** Starts a worker that replies with the word of each request. */
export const startEcho = (kernel: Kernel, mailbox: Mailbox<Body>): Promise<void> =>
  start(kernel, mailbox, (_turn, { body }) => Promise.resolve(done({ answer: body.word })));

/** Each request has an address of its own. */
export const request = (kernel: Kernel, mailbox: Mailbox<Body>, word: string, deadlineMs?: number): Promise<string> =>
  mailbox.at(TENANT).request(kernel, { word }, deadlineMs);

/** Resolves once the wake is in its queue. */
export async function wakeBy({ jobs }: Kernel, order: WakeOrder): Promise<void> {
  jobs.wake(order);
  const queue = await jobs.registry.queue(order.job.name);
  await until(async () => (await queue.getJob(order.id)) !== undefined);
}

/** Runs one turn for the address x. */
export const turnAt = (
  kernel: Kernel,
  mailbox: Mailbox<Body>,
  handle: HandleOne,
  draining = new AbortController().signal,
): Promise<void> => takeTurn(kernel, { mailbox, work: { handle: each(handle) }, at: { id: 'x' }, draining });
