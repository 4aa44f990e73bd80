/** Hashes a new password, however it is set. Refuses weak and overlong ones. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { judgePassword, type NewPassword } from '../../../kernel/passwords/new-password';
import { MAX_PASSWORD_LENGTH } from '../../../kernel/passwords/passwords';
import { passwordTooLong, passwordTooWeak } from '../../model/users/user-faults';

export async function hashNewPassword(
  kernel: Pick<Kernel, 'passwords' | 'settings'>,
  given: NewPassword,
): Promise<string> {
  const judgement = await judgePassword(kernel, given);
  ensure(judgement !== 'too-long', passwordTooLong(MAX_PASSWORD_LENGTH));
  ensure(judgement !== 'too-weak', passwordTooWeak());
  return kernel.passwords.hash(given.password, given.by);
}
