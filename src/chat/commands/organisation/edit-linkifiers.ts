/** Adds and removes an organisation's linkifiers: patterns that become links. */
import { ensure } from '../../../kernel/fault';
import { isDuplicate } from '../../../kernel/mysql/outcome';
import type { Tx } from '../../../kernel/mysql/transaction';
import { eventDelivery } from '../../model/events/event';
import { linkifierMistake } from '../../model/markdown/patterns/linkifiers';
import type { RealmId } from '../../model/organisation/realm';
import { checkLength } from '../../model/text-length';
import type { User } from '../../model/users/user';
import { badLinkifier, noSuchLinkifier } from '../../model/users/user-faults';
import { ensureAdmin } from '../../model/users/user-policy';
import type { Chat } from '../../parts';
import * as linkifiers from '../../store/organisation/linkifiers';
import * as realms from '../../store/organisation/realms';

type Parts = Pick<Chat, 'transaction' | 'vocabularies'>;

const MAX_PATTERN_LENGTH = 500;
const MAX_FORMAT_LENGTH = 1000;

export async function addLinkifier(
  chat: Parts,
  by: User,
  written: { pattern: string; urlFormat: string },
): Promise<{ id: number }> {
  ensureAdmin(by);
  const { pattern, urlFormat } = written;
  checkLength('pattern', pattern, MAX_PATTERN_LENGTH);
  checkLength('url_format_string', urlFormat, MAX_FORMAT_LENGTH);
  const mistake = linkifierMistake(pattern, urlFormat);
  if (mistake !== undefined) throw badLinkifier(`Invalid filter: ${mistake}`);
  try {
    const id = await chat.transaction(async (tx) => {
      await realms.lock(tx.db, by.realmId);
      const made = await linkifiers.insert(tx.db, by.realmId, { pattern, urlFormat });
      await publishAll(tx, by.realmId);
      return made;
    });
    chat.vocabularies.delete(by.realmId);
    return { id };
  } catch (error) {
    if (isDuplicate(error)) throw badLinkifier('Realm filter with this Realm and Pattern already exists.');
    throw error;
  }
}

export async function removeLinkifier(chat: Parts, by: User, id: number): Promise<void> {
  ensureAdmin(by);
  await chat.transaction(async (tx) => {
    await realms.lock(tx.db, by.realmId);
    ensure(await linkifiers.remove(tx.db, by.realmId, id), noSuchLinkifier());
    await publishAll(tx, by.realmId);
  });
  chat.vocabularies.delete(by.realmId);
}

/** Publishes the whole list. The organisation is locked, so that events keep the order of the changes. */
async function publishAll(tx: Tx, realmId: RealmId): Promise<void> {
  const all = (await linkifiers.list(tx.db, realmId)).map(({ id, pattern, urlFormat }) => [pattern, urlFormat, id]);
  tx.deliver(eventDelivery(realmId, 'everyone', { type: 'realm_filters', realm_filters: all }));
}
