/** Prevents making keys that no server would accept. */
import { checkSecret } from '../src/ops/queries/check-secret';
import { productsOf } from '../src/products';
import type { Session } from './session';

/** Keys are stored under SECRET_KEY. With another one than the server's, a key would be printed but never found. */
export async function ensureSecret({ kernel, config }: Session): Promise<void> {
  if ((await checkSecret(kernel, productsOf(config))) !== 'unreadable') return;
  throw new Error('SECRET_KEY is not the one of this server: the new key would not be accepted');
}
