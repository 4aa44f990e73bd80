/** Retries, discards or replays work items. The audit entry is written in the same transaction. */
import { ensure } from '../../kernel/fault';
import type { Desk, Remedy, WorkFilter } from '../../kernel/jobs/desk';
import type { Kernel } from '../../kernel/kernel';
import type { Actor } from '../model/audit';
import { cannotBe, noSuchItem, noSuchRemedy } from '../model/faults';
import { isOf } from '../model/work';
import * as audit from '../store/audit';

const MOST_AT_ONCE = 200;

export interface Mending {
  readonly remedy: Remedy;
  readonly by: Actor;
}

/** Applies a remedy to one item. Returns the id of the work that results. */
export async function mendOne(kernel: Kernel, desk: Desk, id: string, { remedy, by }: Mending): Promise<string> {
  ensure(desk.remedies.includes(remedy), noSuchRemedy(desk.name, remedy, desk.remedies));
  const item = await desk.get(kernel, id);
  ensure(item !== undefined, noSuchItem(desk.name, id));
  const [changed] = await apply(kernel, desk, [id], { remedy, by });
  ensure(changed !== undefined, cannotBe(remedy, id, item.state));
  return changed;
}

/** Applies a remedy to every dead letter that the filter finds, each once, even if it dies again meanwhile. */
export async function mendAll(
  kernel: Kernel,
  desk: Desk,
  filter: Omit<WorkFilter, 'limit' | 'state' | 'before'>,
  { remedy, by }: Mending,
): Promise<number> {
  ensure(desk.remedies.includes(remedy), noSuchRemedy(desk.name, remedy, desk.remedies));
  let count = 0;
  for (let before: string | undefined; ;) {
    const found = await desk.search(kernel, { ...filter, before, state: 'dead', limit: MOST_AT_ONCE });
    const ids = found.filter((item) => isOf(filter.tenant, item)).map(({ id }) => id);
    if (ids.length > 0) count += (await apply(kernel, desk, ids, { remedy, by })).length;
    if (found.length < MOST_AT_ONCE) return count;
    before = found.at(-1)!.id;
  }
}

function apply(kernel: Kernel, desk: Desk, ids: readonly string[], { remedy, by }: Mending): Promise<string[]> {
  return kernel.transaction(async (tx) => {
    const changed = await desk.apply(kernel, tx, remedy, ids);
    if (changed.length > 0) {
      const target = `${desk.name} ${ids.join(' ')}`;
      await audit.insert(tx.db, { ...by, action: remedy, target, count: changed.length });
    }
    return changed;
  });
}
