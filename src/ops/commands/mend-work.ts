/** Retries, discards or replays work items, and pauses queues. Each with an audit entry. */
import { ensure } from '../../kernel/fault';
import { setPaused } from '../../kernel/jobs/queue-report';
import type { WorkQueueAdmin, Remedy, WorkFilter } from '../../kernel/jobs/work-queue-admin';
import type { Kernel, Storage } from '../../kernel/kernel';
import type { Actor } from '../model/audit';
import { cannotBe, noSuchItem, noSuchRemedy, noSuchQueue } from '../model/faults';
import { isOf } from '../model/work';
import * as audit from '../store/audit';

type Parts = Pick<Kernel, 'jobs' | 'transaction'>;

const MAX_AT_ONCE = 200;

export interface Mending {
  readonly remedy: Remedy;
  readonly by: Actor;
}

/** Applies a remedy to one item. Returns the id of the work that results. */
export async function mendOne(
  kernel: Storage & Pick<Kernel, 'jobs'>,
  admin: WorkQueueAdmin,
  id: string,
  { remedy, by }: Mending,
): Promise<string> {
  ensure(admin.remedies.includes(remedy), noSuchRemedy(admin.name, remedy, admin.remedies));
  const item = await admin.get(kernel, id);
  ensure(item !== undefined, noSuchItem(admin.name, id));
  const [changed] = await apply(kernel, admin, [id], { remedy, by });
  ensure(changed !== undefined, cannotBe(remedy, id, item.state));
  return changed;
}

/** Applies a remedy to every dead letter that the filter finds, each once, even if it dies again meanwhile. */
export async function mendAll(
  kernel: Storage & Pick<Kernel, 'jobs'>,
  admin: WorkQueueAdmin,
  filter: Omit<WorkFilter, 'limit' | 'state' | 'before'>,
  { remedy, by }: Mending,
): Promise<number> {
  ensure(admin.remedies.includes(remedy), noSuchRemedy(admin.name, remedy, admin.remedies));
  let count = 0;
  for (let before: string | undefined; ;) {
    const found = await admin.search(kernel, { ...filter, before, state: 'dead', limit: MAX_AT_ONCE });
    const ids = found.filter((item) => isOf(filter.tenant, item)).map(({ id }) => id);
    if (ids.length > 0) count += (await apply(kernel, admin, ids, { remedy, by })).length;
    if (found.length < MAX_AT_ONCE) return count;
    before = found.at(-1)!.id;
  }
}

function apply(
  kernel: Parts,
  admin: WorkQueueAdmin,
  ids: readonly string[],
  { remedy, by }: Mending,
): Promise<string[]> {
  return kernel.transaction(async (tx) => {
    const changed = await admin.apply(kernel, tx, remedy, ids);
    if (changed.length > 0) {
      const target = `${admin.name} ${ids.join(' ')}`;
      await audit.insert(tx.db, { ...by, action: remedy, target, count: changed.length });
    }
    return changed;
  });
}

/** Pauses a queue on every worker until it is resumed. Running jobs finish. */
export async function pauseQueue(kernel: Parts, queue: string, isPaused: boolean, by: Actor): Promise<void> {
  ensure(await setPaused(kernel.jobs, queue, isPaused), noSuchQueue(queue));
  const action = isPaused ? 'pause' : 'resume';
  await kernel.transaction((tx) => audit.insert(tx.db, { ...by, action, target: queue, count: null }));
}
