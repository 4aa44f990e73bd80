/** Keeps keys from being made that no server would accept. */
import { checkSecret } from '../src/chat/queries/check-secret';
import type { Kernel } from '../src/kernel/kernel';

/** Keys are stored under SECRET_KEY: with another than the server's they would be made, printed and never found. */
export async function ensureSecret(kernel: Kernel): Promise<void> {
  if ((await checkSecret(kernel)) !== 'unreadable') return;
  throw new Error('SECRET_KEY is not the one of this server: the new key would not be accepted');
}
