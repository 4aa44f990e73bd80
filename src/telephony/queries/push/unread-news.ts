/** What a device's owner has not read, of what the device is told of and of what it shows. */
import { groupBy } from '../../../kernel/group';
import type { Database } from '../../../kernel/mysql/pool';
import { type Shown, withUnread } from '../../../kernel/push/push-shown';
import { faxTag, newsOf, type PushNews, textTag } from '../../model/push/push-news';
import type { PushItem } from '../../model/push/push-notice';
import { type Reader, unreadFaxes, unreadTexts } from '../../store/push/unread-news';

/** So that a turn ends in time; more are left to the page. */
const MAX_NOTICES = 10;

const tagOf = (item: PushItem): string => ('faxId' in item ? faxTag(item.faxId) : textTag(item.conversationId));

async function unreadAmong(db: Database, reader: Reader, news: readonly PushNews[]): Promise<Map<string, PushItem[]>> {
  const found = [...(await unreadFaxes(db, reader, news)), ...(await unreadTexts(db, reader, news))];
  return groupBy(found, tagOf);
}

/** By the tags of their notifications. */
export async function unreadByTag(
  db: Database,
  reader: Reader,
  news: readonly PushNews[],
): Promise<Map<string, PushItem[]>> {
  return new Map([...(await unreadAmong(db, reader, news))].slice(-MAX_NOTICES));
}

export async function stillUnread(db: Database, reader: Reader, shown: readonly Shown[]): Promise<Shown[]> {
  const news = shown.flatMap(({ tag, messageIds }) => newsOf(tag, messageIds));
  const found = await unreadAmong(db, reader, news);
  return withUnread(shown, (id, tag) => found.get(tag)?.some((item) => item.id === id) === true);
}
