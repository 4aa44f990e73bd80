/** Adds and removes an organisation's custom emoji, and its linkifiers: patterns that become links. */
import { ensure } from '../../../kernel/fault';
import type { FileDraft } from '../../../kernel/files/stored-file';
import type { Storage } from '../../../kernel/kernel';
import { ifDuplicate } from '../../../kernel/mysql/outcome';
import type { Database } from '../../../kernel/mysql/pool';
import { runRead, together } from '../../../kernel/mysql/read-packet';
import { entryDelivery, type ChatEvent, type ForToday } from '../../model/events/event';
import { linkifierMistake } from '../../model/markdown/patterns/linkifiers';
import { formatOf } from '../../model/markdown/patterns/url-template';
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
import {
  emojiAuthorsRead,
  linkifiersRead,
  realmEmojiRead,
  todayLinkifiersRead,
} from '../../queries/organisation/realm-lists';
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
    const id = await emoji.insert(db, { realmId: by.realmId, name, authorId: by.id, ...picture! });
    return { id, isNew: true };
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
    return { id: found.id, isNew: false };
  });
}

const MAX_PATTERN_LENGTH = 500;
const MAX_FORMAT_LENGTH = 1000;

/** The address is a template, as today's clients write it, or Python's format. */
type LinkifierDraft = { readonly pattern: string } & (
  | { readonly urlTemplate: string }
  | { readonly urlFormat: string }
);

export async function addLinkifier(
  chat: Parts,
  by: User,
  { pattern, ...written }: LinkifierDraft,
): Promise<{ id: number }> {
  ensureAdmin(by);
  checkLength('pattern', pattern, MAX_PATTERN_LENGTH);
  const isTemplate = 'urlTemplate' in written;
  if (isTemplate) checkLength('url_template', written.urlTemplate, MAX_FORMAT_LENGTH);
  else checkLength('url_format_string', written.urlFormat, MAX_FORMAT_LENGTH);
  const mistake = linkifierMistake(
    pattern,
    isTemplate ? '' : written.urlFormat,
    isTemplate ? written.urlTemplate : undefined,
  );
  if (mistake !== undefined) throw badLinkifier(`Invalid filter: ${mistake}`);
  const urlFormat = isTemplate ? formatOf(written.urlTemplate) : written.urlFormat;
  checkLength('url_format_string', urlFormat, MAX_FORMAT_LENGTH);
  const linkifier = { pattern, urlFormat, urlTemplate: isTemplate ? written.urlTemplate : null };
  const adding = changing(chat, by, linkifiersEvent, (db) => linkifiers.insert(db, by.realmId, linkifier));
  const taken = () => badLinkifier('Realm filter with this Realm and Pattern already exists.');
  return { id: await adding.catch(ifDuplicate(taken)) };
}

/** As in Zulip, all must be named, each once. */
export async function reorderLinkifiers(chat: Parts, by: User, ids: readonly number[]): Promise<void> {
  ensureAdmin(by);
  ensure(new Set(ids).size === ids.length, badLinkifier('The ordered list must not contain duplicated linkifiers'));
  await changing(chat, by, linkifiersEvent, async (db) => {
    const known = await runRead(db, linkifiers.listRead(by.realmId));
    const isWhole = known.length === ids.length && known.every(({ id }) => ids.includes(id));
    ensure(isWhole, badLinkifier('The ordered list must enumerate all existing linkifiers exactly once'));
    await linkifiers.reorder(db, by.realmId, ids);
  });
}

export async function removeLinkifier(chat: Parts, by: User, id: number): Promise<void> {
  ensureAdmin(by);
  await changing(chat, by, linkifiersEvent, async (db) => {
    ensure(await linkifiers.remove(db, by.realmId, id), noSuchLinkifier());
  });
}

/** The event, and what today's clients get of it. */
type EventOf<T> = (db: Database, realmId: RealmId, changed: T) => Promise<readonly [ChatEvent, ForToday?]>;

const emojiEvent: EventOf<{ readonly id: number; readonly isNew: boolean }> = async (db, realmId, { id, isNew }) => {
  const [all, authors] = await runRead(db, together([realmEmojiRead(realmId), emojiAuthorsRead(realmId)]));
  const one = { ...all[id], ...authors[id] };
  return [
    { type: 'realm_emoji', op: 'update', realm_emoji: all },
    {
      today: { realm_emoji: authors },
      eachEmoji: isNew
        ? { type: 'realm_emoji', op: 'add', emoji: one }
        : { type: 'realm_emoji', op: 'update_one', emoji_id: String(id), data: { deactivated: true } },
    },
  ];
};

const linkifiersEvent: EventOf<unknown> = async (db, realmId) => [
  { type: 'realm_filters', realm_filters: await runRead(db, linkifiersRead(realmId)) },
  { today: { realm_linkifiers: await runRead(db, todayLinkifiersRead(realmId)) } },
];

/** Publishes the whole list. The organisation is locked, so that events keep the order of the changes. */
async function changing<T>(
  chat: Parts,
  { realmId }: User,
  eventOf: EventOf<T>,
  change: (db: Database) => Promise<T>,
): Promise<T> {
  const changed = await chat.transaction(async (tx) => {
    await realms.lock(tx.db, realmId);
    const value = await change(tx.db);
    const [event, forToday] = await eventOf(tx.db, realmId, value);
    tx.deliver(entryDelivery(realmId, 'everyone', event, forToday));
    return value;
  });
  chat.vocabularies.delete(realmId);
  return changed;
}
