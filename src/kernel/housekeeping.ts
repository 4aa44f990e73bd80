/** Housekeeper: a leased actor that deletes expired rows for the whole cluster. */
import { defineActor } from './actor/actor';
import { redisKey, tenantOf, type Tenant } from './actor/address';
import { leasedTurn, type Order, type TurnContext } from './actor/leased-turn';
import { eventLog } from './event-log/event-log';
import type { Consumer } from './jobs/consume';
import { defineJob } from './jobs/job';

const CLUSTER = tenantOf('kernel', 'cluster');
const MOST_AT_ONCE = 500;
const MICROSECONDS = 1000;

const job = defineJob<Order<null>>('housekeeping', { attempts: 1, backoffMs: 1000 });

export const housekeeper = defineActor('housekeeper', { tidy: leasedTurn(job, 1, forgetOld) });

/** The payload of every housekeeping job. */
export const housekeepingOrder: Order<null> = {
  address: { tenant: CLUSTER, kind: 'housekeeper', id: '' },
  input: null,
};

/** Any number of workers may run it: the lease admits one at a time. */
export const housekeeping: Consumer<Order<null>, void> = {
  ...housekeeper.turns.tidy.consumer,
  schedule: ({ housekeepingMs }) => ({ everyMs: housekeepingMs, payload: housekeepingOrder }),
};

async function forgetOld(turn: TurnContext): Promise<void> {
  while (!turn.isOver() && (await forgetPublished(turn)) === MOST_AT_ONCE);
  while (!turn.isOver() && (await forgetReplayable(turn)) === MOST_AT_ONCE);
  while (!turn.isOver() && (await forgetAnswers(turn)) === MOST_AT_ONCE);
}

const isOld = (turn: TurnContext, column: string, ageMs = turn.kernel.settings.eventLogWindowMs) =>
  turn.kernel.mysql.raw('?? < NOW(3) - INTERVAL ? MICROSECOND', [column, ageMs * MICROSECONDS]);

interface PublishedRow {
  readonly id: number;
  readonly tenant: Tenant;
  readonly number: number | null;
}

const oldRows = (turn: TurnContext, isReplayable: boolean, ageMs?: number): Promise<PublishedRow[]> =>
  turn.kernel
    .mysql('kernel_outbox')
    .where('is_replayable', isReplayable)
    .whereNotNull('carried_at')
    .where(isOld(turn, 'carried_at', ageMs))
    .orderBy('carried_at')
    .limit(MOST_AT_ONCE)
    .select('id', 'tenant', 'number');

async function removeRows(turn: TurnContext, rows: readonly PublishedRow[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await turn.commit((tx) => tx.db('kernel_outbox').whereIn('id', ids).delete());
}

/** Rows leave the outbox and the log together: both cover the same window. */
async function forgetPublished(turn: TurnContext): Promise<number> {
  const rows = await oldRows(turn, false);
  const newest = new Map<Tenant, number>();
  for (const { tenant, number } of rows) {
    if (number !== null) newest.set(tenant, Math.max(number, newest.get(tenant) ?? 0));
  }
  await cutLogs(turn, newest);
  await removeRows(turn, rows);
  return rows.length;
}

/** Replayable events are in no Redis log. */
async function forgetReplayable(turn: TurnContext): Promise<number> {
  const rows = await oldRows(turn, true, turn.kernel.settings.eventReplayMs);
  await removeRows(turn, rows);
  return rows.length;
}

async function cutLogs({ kernel }: TurnContext, upTo: ReadonlyMap<Tenant, number>): Promise<void> {
  await Promise.all(
    [...upTo].map(([tenant, number]) => {
      const key = redisKey(kernel.namespace, { tenant, kind: eventLog.kind, id: '' });
      return kernel.redis.commands.xtrim(`${key}:rows`, 'MINID', number + 1);
    }),
  );
}

async function forgetAnswers(turn: TurnContext): Promise<number> {
  const ids = (await turn.kernel
    .mysql('kernel_asks')
    .where(isOld(turn, 'created_at'))
    .limit(MOST_AT_ONCE)
    .pluck('id')) as string[];
  if (ids.length > 0) await turn.commit((tx) => tx.db('kernel_asks').whereIn('id', ids).delete());
  return ids.length;
}
