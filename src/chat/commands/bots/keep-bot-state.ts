/** Key-value storage on the server for a bot's program. */
import { ensure } from '../../../kernel/fault';
import type { Transact } from '../../../kernel/mysql/transaction';
import { checkLength } from '../../model/text-length';
import type { User } from '../../model/users/user';
import { noSuchKey, storageTooLarge } from '../../model/users/user-faults';
import * as storage from '../../store/bots/bot-storage';

/** Zulip's limit. */
const MAX_CHARACTERS = 10_000_000;
const MAX_KEY_LENGTH = 190;

export async function writeBotState(transaction: Transact, by: User, entries: Readonly<Record<string, string>>) {
  await transaction(async (tx) => {
    for (const [name, value] of Object.entries(entries)) {
      checkLength('Key', name, MAX_KEY_LENGTH);
      await storage.write(tx.db, by.id, name, value);
    }
    const over = (await storage.size(tx.db, by.id)) - MAX_CHARACTERS;
    ensure(over <= 0, storageTooLarge(over, MAX_CHARACTERS));
  });
}

export async function removeBotState(transaction: Transact, by: User, names: readonly string[] | null): Promise<void> {
  await transaction(async (tx) => {
    const known = await storage.read(tx.db, by.id, names);
    for (const name of names ?? []) ensure(known.has(name), noSuchKey());
    await storage.remove(tx.db, by.id, [...known.keys()]);
  });
}
