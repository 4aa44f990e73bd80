/** Lists user statuses from the rows, which the nodes keep up to date. */
import type { Kernel } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import { statusObject } from '../../model/contacts/status';
import * as statuses from '../../store/contacts/statuses';

/** More users than any known company has. Clients of larger ones can ask for the users on screen. */
const MAX = 1000;

export async function listStatuses(kernel: Kernel, by: Caller, ids: readonly string[] | undefined): Promise<object[]> {
  return (await statuses.list(kernel.mysql, by.companyId, { ids, most: MAX })).map(statusObject);
}
