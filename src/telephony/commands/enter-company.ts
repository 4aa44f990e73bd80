/** Notes that a user came in, which is what others see as their last login. */
import type { Kernel } from '../../kernel/kernel';
import type { Caller } from '../model/contact';
import * as contacts from '../store/contacts';

export async function enterCompany(kernel: Kernel, by: Caller): Promise<void> {
  await contacts.entered(kernel.mysql, by.contactId);
}
