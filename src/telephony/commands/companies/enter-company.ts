/** Notes that a user came in, which is what others see as their last login. */
import type { Kernel } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import * as contacts from '../../store/contacts/contacts';

/** In a transaction of its own, which is tried again should it meet another on the same row. */
export function enterCompany(kernel: Kernel, by: Caller): Promise<void> {
  return kernel.transaction(({ db }) => contacts.entered(db, by.contactId));
}
