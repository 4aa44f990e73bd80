/** Whether stored keys can still be read: not when SECRET_KEY is another than the one they were stored with. */
import type { Kernel } from '../../kernel/kernel';
import { someSealedKey } from '../store/accounts';

export async function checkSecret({
  mysql,
  secrets,
}: Pick<Kernel, 'mysql' | 'secrets'>): Promise<'readable' | 'unreadable' | 'nothing stored'> {
  const sealed = await someSealedKey(mysql);
  if (sealed === undefined) return 'nothing stored';
  try {
    secrets.decrypt(sealed);
    return 'readable';
  } catch {
    return 'unreadable';
  }
}
