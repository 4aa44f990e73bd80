/** How the users of a company are shown: read from rows alone, which the nodes keep true. */
import type { Kernel } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import { statusObject } from '../../model/contacts/status';
import * as statuses from '../../store/contacts/statuses';

/** More than any company has seen; who has more asks for those on the screen. */
const MOST = 1000;

export async function listStatuses(kernel: Kernel, by: Caller, ids: readonly string[] | undefined): Promise<object[]> {
  return (await statuses.list(kernel.mysql, by.companyId, { ids, most: MOST })).map(statusObject);
}
