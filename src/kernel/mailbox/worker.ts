/** The worker of a mailbox: takes turns at the addresses it is woken for, and sweeps for lost wakes. */
import type { Knex } from 'knex';
import { Gate, type Party } from '../admission/gate';
import { Busy } from '../jobs/busy';
import { consume, wakeLockMs, type Consumer } from '../jobs/consume';
import type { Clearing, Found, Sweep } from '../jobs/sweeper';
import type { Kernel } from '../kernel';
import { abandonedLeases, expiredAmong, leaseAddress, Superseded } from './lease';
import { wakeLater, wakeOf, wakeSwept, type AnyMailbox, type At, type Mailbox, type Wake } from './mailbox';
import { atFound, nextDueMs, oldMail, overdue } from './rows';
import { takeTurn } from './turn';
import type { MailWork } from './work';

export interface MailboxWorker<Body> extends MailWork<Body> {
  /** Finds addresses that `fill` should create mail for: queries of the columns `address` and `tenant`. */
  toFill?(db: Knex): readonly Knex.QueryBuilder[];
  /** Finds, as often, what should have followed an ending but was lost. */
  readonly alsoSweeps?: Omit<Sweep, 'everyMs'>;
  readonly alsoClears?: readonly Clearing[];
}

export function mailboxWorker<Body>(mailbox: Mailbox<Body>, work: MailboxWorker<Body>): Consumer<Wake> {
  const { concurrency, sweepMs } = mailbox;
  const shared = openTenantShares(concurrency, mailbox.tenantShare);

  return consume<Wake>(mailbox.job, {
    concurrency,
    // The lease keeps a worker that is only slow from being doubled.
    lockMs: wakeLockMs,
    sweeps(kernel) {
      const everyMs = sweepMs ?? kernel.settings.sweepAfterMs;
      const find = (db: Knex) => [overdue(db, mailbox, everyMs), ...(work.toFill?.(db) ?? [])];
      const own: Sweep = { name: mailbox.name, everyMs, find, found: (rows) => wakeFound(kernel, mailbox, rows) };
      return work.alsoSweeps ? [own, { ...work.alsoSweeps, everyMs }] : [own];
    },
    clearings: [oldMail(mailbox), abandonedLeases, ...(work.alsoClears ?? [])],
    async run(kernel, wake, { signal: draining }) {
      if (wake === null) return;
      const turn = () => takeTurn(kernel, { mailbox, work, at: wake, draining });
      const turns = wake.tenant === undefined ? turn() : shared(wake.tenant, wake.id, turn);
      await turns.catch((error: unknown) => {
        // The worker that has taken over does the rest.
        if (!(error instanceof Superseded)) throw error;
      });
    },
    async after(kernel, wake) {
      if (wake !== null) await wakeForRest(kernel, mailbox, wake);
    },
  });
}

const CROWDED_MS = 250;
const MAX_CROWDED_MS = 5000;

/**
 * No tenant gets more than its share of a worker's turns: its other wakes are delayed. The more of its addresses wait,
 * the longer each waits.
 */
export function openTenantShares(concurrency: number, share = 0.5) {
  const callerAtOnce = Math.ceil(concurrency * share);
  /** The addresses of each tenant that were refused, and come again. */
  const crowded = new Map<string, Set<string>>();
  const refusal = (_waiting: number, { caller: tenant, address }: Party) => {
    const own = crowded.get(tenant) ?? new Set<string>();
    crowded.set(tenant, own.add(address));
    const waitMs = Math.min(MAX_CROWDED_MS, CROWDED_MS * Math.ceil(own.size / callerAtOnce));
    return new Busy('others have their turn first', waitMs);
  };
  const gate = new Gate({ atOnce: Infinity, callerAtOnce, waiting: 0, refusal, refusedAtOnce: Infinity });
  return async (tenant: string, address: string, turn: () => Promise<void>): Promise<void> => {
    await gate.through({ caller: tenant, address }, async () => {
      crowded.get(tenant)?.delete(address);
      await turn().finally(() => {
        if (gate.insideOf(tenant) === 1) crowded.delete(tenant);
      });
    });
  };
}

/** Wakes for mail that arrived or was left, once this turn is over. */
async function wakeForRest(kernel: Pick<Kernel, 'jobs' | 'mysql'>, mailbox: AnyMailbox, at: At): Promise<void> {
  const dueMs = await nextDueMs(kernel.mysql, mailbox, at.id);
  if (dueMs === undefined) return;
  if (dueMs > 0) wakeLater(kernel.jobs, mailbox, at, dueMs);
  else kernel.jobs.wake(wakeOf(mailbox, at));
}

/** Wakes for mail whose wake was lost, because Redis was unreachable or a worker died. */
async function wakeFound(
  { jobs, mysql }: Pick<Kernel, 'jobs' | 'mysql'>,
  mailbox: AnyMailbox,
  found: readonly Found[],
): Promise<void> {
  const late = found.map((row) => atFound(mailbox.table, row));
  const died = await expiredAmong(
    mysql,
    late.map(({ id }) => leaseAddress(mailbox, id)),
  );
  wakeSwept(
    jobs,
    mailbox,
    late.map((at) => ({ at, deadHolder: died.get(leaseAddress(mailbox, at.id)) })),
  );
}
