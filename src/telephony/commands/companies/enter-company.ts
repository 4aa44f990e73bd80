/** Records a user's login time, which others see as their last login. */
import type { Kernel } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import * as contacts from '../../store/contacts/contacts';

/** Runs in its own transaction, which is retried if it deadlocks on the row. */
export function enterCompany(kernel: Kernel, by: Caller): Promise<void> {
  return kernel.transaction(({ db }) => contacts.entered(db, by.contactId));
}
