/** Adds and removes an organisation's custom emoji, and its linkifiers: patterns that become links. */
import { ensure } from '../../../kernel/fault';
import type { FileDraft } from '../../../kernel/files/stored-file';
import type { Storage } from '../../../kernel/kernel';
import { ifDuplicate } from '../../../kernel/mysql/outcome';
import type { Database } from '../../../kernel/mysql/pool';
import { runRead } from '../../../kernel/mysql/read-packet';
import { eventDelivery, type ChatEvent } from '../../model/events/event';
import { linkifierMistake } from '../../model/markdown/patterns/linkifiers';
import type { RealmId } from '../../model/organisation/realm';
import { isEmojiName } from '../../model/organisation/realm-emoji';
import { checkLength } from '../../model/text-length';
import { EMOJI } from '../../model/uploads/picture-recipes';
import type { User } from '../../model/users/user';
import {
  adminsOnly,
  badLinkifier,
  emojiNameInvalid,
  emojiNameTaken,
  noSuchEmoji,
  noSuchLinkifier,
  notYourEmoji,
} from '../../model/users/user-faults';
import { ensureAdmin, ensureMember } from '../../model/users/user-policy';
import type { Chat } from '../../parts';
import { linkifiersRead, realmEmojiRead } from '../../queries/organisation/realm-lists';
import * as linkifiers from '../../store/organisation/linkifiers';
import * as emoji from '../../store/organisation/realm-emoji';
import * as realms from '../../store/organisation/realms';
import { makePictures } from '../uploads/make-pictures';

type Parts = Pick<Chat, 'transaction' | 'vocabularies'>;

export async function addRealmEmoji(
  chat: Storage & Pick<Chat, 'pictures' | 'vocabularies'>,
  by: User,
  name: string,
  file: FileDraft,
): Promise<void> {
  ensureMember(by);
  const { settings } = (await realms.byId(chat.mysql, by.realmId))!;
  ensure(!settings.add_emoji_by_admins_only || by.role === 'admin', adminsOnly());
  ensure(isEmojiName(name), emojiNameInvalid());
  const [picture] = await makePictures(chat.pictures, by, file, EMOJI);
  await changing(chat, by, emojiEvent, async (db) => {
    await emoji.insert(db, { realmId: by.realmId, name, authorId: by.id, ...picture! });
  }).catch(ifDuplicate(emojiNameTaken));
}

/** Existing messages keep showing a retired emoji. */
export async function retireRealmEmoji(chat: Parts, by: User, name: string): Promise<void> {
  ensureMember(by);
  await changing(chat, by, emojiEvent, async (db) => {
    const found = (await emoji.list(db, by.realmId)).find((each) => each.isActive && each.name === name);
    ensure(found !== undefined, noSuchEmoji(name));
    ensure(by.role === 'admin' || found.author.id === by.id, notYourEmoji());
    await emoji.deactivate(db, found.id);
  });
}

const MAX_PATTERN_LENGTH = 500;
const MAX_FORMAT_LENGTH = 1000;

export async function addLinkifier(
  chat: Parts,
  by: User,
  { pattern, urlFormat }: { pattern: string; urlFormat: string },
): Promise<{ id: number }> {
  ensureAdmin(by);
  checkLength('pattern', pattern, MAX_PATTERN_LENGTH);
  checkLength('url_format_string', urlFormat, MAX_FORMAT_LENGTH);
  const mistake = linkifierMistake(pattern, urlFormat);
  if (mistake !== undefined) throw badLinkifier(`Invalid filter: ${mistake}`);
  const adding = changing(chat, by, linkifiersEvent, (db) => linkifiers.insert(db, by.realmId, { pattern, urlFormat }));
  const taken = () => badLinkifier('Realm filter with this Realm and Pattern already exists.');
  return { id: await adding.catch(ifDuplicate(taken)) };
}

export async function removeLinkifier(chat: Parts, by: User, id: number): Promise<void> {
  ensureAdmin(by);
  await changing(chat, by, linkifiersEvent, async (db) => {
    ensure(await linkifiers.remove(db, by.realmId, id), noSuchLinkifier());
  });
}

type EventOf = (db: Database, realmId: RealmId) => Promise<ChatEvent>;

const emojiEvent: EventOf = async (db, realmId) => ({
  type: 'realm_emoji',
  op: 'update',
  realm_emoji: await runRead(db, realmEmojiRead(realmId)),
});

const linkifiersEvent: EventOf = async (db, realmId) => ({
  type: 'realm_filters',
  realm_filters: await runRead(db, linkifiersRead(realmId)),
});

/** Publishes the whole list. The organisation is locked, so that events keep the order of the changes. */
async function changing<T>(
  chat: Parts,
  { realmId }: User,
  eventOf: EventOf,
  change: (db: Database) => Promise<T>,
): Promise<T> {
  const changed = await chat.transaction(async (tx) => {
    await realms.lock(tx.db, realmId);
    const value = await change(tx.db);
    tx.deliver(eventDelivery(realmId, 'everyone', await eventOf(tx.db, realmId)));
    return value;
  });
  chat.vocabularies.delete(realmId);
  return changed;
}
