/** Sets a user's status and publishes each change to the company. */
import type { Kernel } from '../../../kernel/kernel';
import { companyDelivery } from '../../model/companies/company-event';
import type { Caller } from '../../model/contacts/contact';
import { changedStatuses, choose, NOTHING, statusObject, statusEvent, type Shown } from '../../model/contacts/status';
import { noContact } from '../../model/faults';
import * as statuses from '../../store/contacts/statuses';

export interface StatusChange {
  readonly main?: string | undefined;
  /** Null removes it. */
  readonly additional?: Shown | null | undefined;
}

export function setStatus(kernel: Kernel, by: Caller, change: StatusChange): Promise<object> {
  const { main, additional } = change;
  return kernel.transaction(async (tx) => {
    const [before] = await statuses.lock(tx.db, by.companyId, [by.contactId]);
    if (!before) throw noContact();
    const chosen = main === undefined ? before : choose(before, main);
    const shown = additional === undefined ? chosen : { ...chosen, additional: additional ?? NOTHING };
    const changed = changedStatuses(before, shown);
    if (changed.length === 0) return statusObject(before);
    const after = { ...shown, updatedAt: kernel.clock.now() };
    await statuses.update(tx.db, after);
    for (const each of changed)
      tx.deliver(companyDelivery(by.companyId, 'user_status_updated', statusEvent(after, each)));
    return statusObject(after);
  });
}
