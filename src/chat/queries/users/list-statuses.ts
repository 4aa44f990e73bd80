/** Users' statuses: who is away, and their texts. */
import type { Kernel } from '../../../kernel/kernel';
import type { RealmId } from '../../model/organisation/realm';
import * as statuses from '../../store/users/user-statuses';

/** By user id, as clients get it when they register. */
export async function listStatuses(
  { mysql }: Pick<Kernel, 'mysql'>,
  realmId: RealmId,
): Promise<Record<string, { away?: true; status_text?: string }>> {
  const found = await statuses.list(mysql, realmId);
  return Object.fromEntries(
    [...found].map(([id, { isAway, text }]) => [
      id,
      { ...(isAway ? { away: true as const } : {}), ...(text === '' ? {} : { status_text: text }) },
    ]),
  );
}
