/** Reads a bot's key-value storage. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import type { User } from '../../model/users/user';
import { noSuchKey } from '../../model/users/user-faults';
import * as storage from '../../store/bots/bot-storage';

export async function getBotState(
  { mysql }: Kernel,
  by: User,
  names: readonly string[] | null,
): Promise<{ storage: Record<string, string> }> {
  const known = await storage.read(mysql, by.id, names);
  for (const name of names ?? []) ensure(known.has(name), noSuchKey());
  return { storage: Object.fromEntries(known) };
}
