/** Takes a new password, by whatever way it is set: a weak one is refused, any other hashed. */
import { ensure } from '../../kernel/fault';
import type { Kernel } from '../../kernel/kernel';
import type { Asker } from '../../kernel/password-queue';
import { LONGEST_PASSWORD } from '../../kernel/passwords';
import { passwordTooLong, passwordTooWeak } from '../model/user-faults';

export interface NewPassword {
  readonly password: string;
  /** What others know of its owner, such as the address: it must not be made of that. */
  readonly words: readonly string[];
  readonly by: Asker;
}

export async function hashNewPassword(kernel: Kernel, { password, words, by }: NewPassword): Promise<string> {
  const { passwordMinLength, passwordMinGuesses } = kernel.settings;
  ensure(password.length <= LONGEST_PASSWORD, passwordTooLong(LONGEST_PASSWORD));
  ensure(Array.from(password).length >= passwordMinLength, passwordTooWeak());
  const parts = words.flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]).filter((word) => word.length > 2);
  ensure((await kernel.passwords.guesses(password, parts, by)) >= passwordMinGuesses, passwordTooWeak());
  return kernel.passwords.hash(password, by);
}
