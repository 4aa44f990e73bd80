/** Shows users as being on the telephone, by the lines of their extensions. What a user has set by hand stays. */
import type { Clock } from '../../../kernel/clock';
import type { Tx } from '../../../kernel/mysql/transaction';
import { isOnPhone } from '../../model/calls/line';
import type { CompanyId } from '../../model/companies/company';
import { companyDelivery } from '../../model/companies/company-event';
import { NOTHING, ON_PHONE, statusEvent } from '../../model/contacts/status';
import * as statuses from '../../store/contacts/statuses';
import * as lines from '../../store/calls/lines';

/** For the users of these extensions, by what is stored of their lines. Without a listener nobody is on the phone. */
export async function showOnPhone(
  tx: Tx,
  clock: Clock,
  { pbx, companyId }: { readonly pbx: string; readonly companyId: CompanyId },
  numbers: readonly number[],
): Promise<void> {
  const users = await lines.usersOf(tx.db, pbx, numbers);
  if (users.length === 0) return;
  const all = await lines.linesOfUsers(tx.db, users);
  const onPhone = new Set(all.filter(({ line }) => isOnPhone(line)).map(({ userId }) => userId));
  for (const before of await statuses.lock(tx.db, companyId, users)) {
    const { actionType, status } = before.additional;
    if (actionType !== 'automatic' || !['', ON_PHONE.status].includes(status)) continue;
    const additional = onPhone.has(before.contactId) ? ON_PHONE : NOTHING;
    if (additional.status === before.additional.status) continue;
    const after = { ...before, additional, updatedAt: clock.now() };
    await statuses.update(tx.db, after);
    tx.deliver(companyDelivery(companyId, 'user_status_updated', statusEvent(after, additional)));
  }
}
