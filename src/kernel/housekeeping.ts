/** Housekeeper: a leased actor that forgets what is older than the event log's window, for the whole cluster. */
import { defineActor } from './actor/actor';
import { redisKey, tenantOf, type Tenant } from './actor/address';
import { leasedTurn, type Order, type TurnContext } from './actor/leased-turn';
import { eventLog } from './event-log/event-log';
import { defineJob } from './jobs/job';

const CLUSTER = tenantOf('kernel', 'cluster');
const MOST_AT_ONCE = 500;
const MICROSECONDS = 1000;

const job = defineJob<Order<null>>('housekeeping', { attempts: 1, backoffMs: 1000 });

export const housekeeper = defineActor('housekeeper', { tidy: leasedTurn(job, 1, forgetOld) });

/** What each worker that does the housekeeping is given, again and again. */
export const housekeepingOrder: Order<null> = {
  address: { tenant: CLUSTER, kind: 'housekeeper', id: '' },
  input: null,
};

async function forgetOld(turn: TurnContext): Promise<void> {
  while (!turn.signal.aborted && (await forgetTold(turn)) === MOST_AT_ONCE);
  while (!turn.signal.aborted && (await forgetAnswers(turn)) === MOST_AT_ONCE);
}

const isOld = (turn: TurnContext, column: string) => {
  const { mysql, settings } = turn.kernel;
  return mysql.raw('?? < NOW(3) - INTERVAL ? MICROSECOND', [column, settings.eventLogWindowMs * MICROSECONDS]);
};

/** Rows leave the outbox and the log together: both remember the same window. */
async function forgetTold(turn: TurnContext): Promise<number> {
  const { mysql, redis, namespace } = turn.kernel;
  const rows: { id: number; tenant: Tenant; number: number | null }[] = await mysql('kernel_outbox')
    .whereNotNull('carried_at')
    .where(isOld(turn, 'carried_at'))
    .orderBy('carried_at')
    .limit(MOST_AT_ONCE)
    .select('id', 'tenant', 'number');
  if (rows.length === 0) return 0;
  const oldest = new Map<Tenant, number>();
  for (const { tenant, number } of rows) {
    if (number !== null) oldest.set(tenant, Math.max(number, oldest.get(tenant) ?? 0));
  }
  const pipeline = redis.commands.pipeline();
  for (const [tenant, number] of oldest) {
    const key = redisKey(namespace, { tenant, kind: eventLog.kind, id: '' });
    pipeline.xtrim(`${key}:entries`, 'MINID', number + 1);
  }
  await pipeline.exec();
  await turn.commit((tx) =>
    tx
      .db('kernel_outbox')
      .whereIn(
        'id',
        rows.map(({ id }) => id),
      )
      .delete(),
  );
  return rows.length;
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
