/** Adds and removes a user's alert words. */
import { ensure } from '../../../kernel/fault';
import type { Tx } from '../../../kernel/mysql/transaction';
import { eventDelivery } from '../../model/events/event';
import { badRequest } from '../../model/faults';
import { checkLength } from '../../model/text-length';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as alertWords from '../../store/users/alert-words';
import * as users from '../../store/users/users';

type Parts = Pick<Chat, 'transaction' | 'vocabularies'>;

const MAX_LENGTH = 100;
/** Every message is searched for all of them. */
const MAX = 100;

export const addAlertWords = (chat: Parts, by: User, written: readonly string[]) =>
  changing(chat, by, async (tx) => {
    const words = [...new Set(clean(written))];
    for (const word of words) checkLength('alert_words', word, MAX_LENGTH);
    const known = await alertWords.ofUser(tx.db, by.id);
    const added = words.filter((word) => !known.includes(word));
    ensure(known.length + added.length <= MAX, badRequest(`Too many alert words (limit: ${MAX})`));
    await alertWords.add(tx.db, by, added);
  });

export const removeAlertWords = (chat: Parts, by: User, written: readonly string[]) =>
  changing(chat, by, (tx) => alertWords.remove(tx.db, by.id, clean(written)));

const clean = (words: readonly string[]) => words.map((word) => word.trim()).filter((word) => word !== '');

async function changing(chat: Parts, by: User, change: (tx: Tx) => Promise<void>): Promise<{ alert_words: string[] }> {
  const words = await chat.transaction(async (tx) => {
    // The event holds the whole list, so changes must keep their order.
    await users.lock(tx.db, by.realmId, by.id);
    await change(tx);
    const now = await alertWords.ofUser(tx.db, by.id);
    tx.deliver(eventDelivery(by.realmId, [by.id], { type: 'alert_words', alert_words: now }));
    return now;
  });
  chat.vocabularies.delete(by.realmId);
  return { alert_words: words };
}
