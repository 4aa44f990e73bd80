/** Checks a new password against the configured rules, however it is set. */
import type { Kernel } from '../kernel';
import type { Requester } from './password-queue';
import { MAX_PASSWORD_LENGTH } from './passwords';

export interface NewPassword {
  readonly password: string;
  /** Known facts about the owner, such as the email address: the password must not be made of them. */
  readonly words: readonly string[];
  readonly by: Requester;
}

export async function judgePassword(
  { settings, passwords }: Pick<Kernel, 'settings' | 'passwords'>,
  { password, words, by }: NewPassword,
): Promise<'good' | 'too-long' | 'too-weak'> {
  if (password.length > MAX_PASSWORD_LENGTH) return 'too-long';
  if (Array.from(password).length < settings.passwordMinLength) return 'too-weak';
  const parts = words.flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]).filter((word) => word.length > 2);
  return (await passwords.guesses(password, parts, by)) >= settings.passwordMinGuesses ? 'good' : 'too-weak';
}
