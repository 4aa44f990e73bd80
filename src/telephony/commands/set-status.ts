/** Says how a user wants to be shown; everyone in the company is told. */
import type { Kernel } from '../../kernel/kernel';
import { tellCompany } from '../model/company-event';
import type { Caller } from '../model/contact';
import { noContact } from '../model/faults';
import { choose, NOTHING, statusObject, toldStatus, type Shown } from '../model/status';
import * as statuses from '../store/statuses';

export interface StatusChange {
  readonly main?: string | undefined;
  /** Null takes it away. */
  readonly additional?: Shown | null | undefined;
}

export function setStatus(kernel: Kernel, by: Caller, change: StatusChange): Promise<object> {
  const { main, additional } = change;
  return kernel.transaction(async (tx) => {
    const [before] = await statuses.lock(tx.db, by.companyId, [by.contactId]);
    if (!before) throw noContact();
    const chosen = main === undefined ? before : choose(before, main);
    const after = {
      ...chosen,
      ...(additional === undefined ? {} : { additional: additional ?? NOTHING }),
      updatedAt: kernel.clock.now(),
    };
    await statuses.update(tx.db, after);
    const tell = (what: Shown) => tx.deliver(tellCompany(by.companyId, 'user_status_updated', toldStatus(after, what)));
    if (main !== undefined) tell(after.main);
    if (additional !== undefined) tell(after.additional);
    return statusObject(after);
  });
}
