/** Writes what a device shows of the conversations of some messages. */
import { groupBy } from '../../../kernel/group';
import type { Database } from '../../../kernel/mysql/pool';
import { type Shown, withUnread } from '../../../kernel/push/push-shown';
import { replaceSpoilers } from '../../model/markdown/elements';
import type { Message } from '../../model/messages/message';
import type { RealmId } from '../../model/organisation/realm';
import { type PushedConversation, privateTag, streamTag } from '../../model/push/push-payload';
import { plainText } from '../../model/reading/search-words';
import type { UserId } from '../../model/users/user';
import * as messages from '../../store/messages/messages';
import * as recipients from '../../store/messages/recipients';
import * as streams from '../../store/streams/streams';
import * as people from '../../store/users/people';
import { unreadAmong } from '../reading/unread-messages';

interface Reader {
  readonly realmId: RealmId;
  readonly userId: UserId;
}

/** Named for a private conversation of several people. */
const MAX_NAMES = 3;
/** Further conversations are left to the next turn of the device, or to its page. */
const MAX_CONVERSATIONS = 10;

/** Those of the messages that are still unread, by the tag of their conversation, the newest conversations. */
export async function unreadByTag(
  db: Database,
  { realmId, userId }: Reader,
  ids: readonly number[],
): Promise<Map<string, Message[]>> {
  const unread = await unreadAmong(db, userId, await messages.byIds(db, realmId, ids));
  const sorted = unread.toSorted((one, other) => one.id - other.id);
  const groups = [...groupBy(sorted, tagOf)];
  const byAge = groups.toSorted(([, one], [, other]) => one.at(-1)!.id - other.at(-1)!.id);
  return new Map(byAge.slice(-MAX_CONVERSATIONS));
}

/** What they are about goes on without a space. */
const WITHIN_WORDS = /<\/?(?:a|b|code|del|em|strong)\b[^>]*>/g;

const tagOf = ({ topicId, recipientId, topic }: Message): string =>
  topicId === null ? privateTag(recipientId) : streamTag(recipientId, topic);

/** What devices show, as far as it is still unread. */
export async function stillUnread(
  db: Database,
  { realmId, userId }: Reader,
  shown: readonly Shown[],
): Promise<Shown[]> {
  const ids = shown.flatMap(({ messageIds }) => messageIds);
  const unread = await unreadAmong(db, userId, await messages.byIds(db, realmId, ids));
  const unreadIds = new Set<number>(unread.map(({ id }) => id));
  return withUnread(shown, (id) => unreadIds.has(id));
}

/** Of the messages of one conversation, oldest first. */
export async function describeConversation(
  db: Database,
  { realmId, userId }: Reader,
  said: readonly Message[],
): Promise<PushedConversation> {
  const newest = said.at(-1)!;
  const { recipientId, topicId, topic } = newest;
  const members = topicId === null ? await recipients.membersOf(db, recipientId) : [];
  const others = members.filter((id) => id !== userId).toSorted((one, other) => one - other);
  const named = others.filter((id) => id !== newest.senderId).slice(0, MAX_NAMES);
  const found = await people.byIds(db, realmId, [...new Set([...said.map(({ senderId }) => senderId), ...named])]);
  const names = new Map(found.map(({ id, fullName }) => [id, fullName]));
  const lines = said.map(({ senderId, rendered }) => ({
    sender: names.get(senderId) ?? '?',
    text: plainText(replaceSpoilers(rendered, '…').replaceAll(WITHIN_WORDS, '')),
  }));
  if (topicId === null) {
    const place = others.length > 1 ? named.map((id) => names.get(id) ?? '?').join(', ') : '';
    return { lines, place, path: `/private/${others.join(',') || userId}/near/${newest.id}` };
  }
  const stream = await streams.byId(db, realmId, recipientId);
  return {
    lines,
    place: `#${stream?.name ?? '?'} › ${topic}`,
    path: `/stream/${recipientId}/topic/${encodeURIComponent(topic)}/near/${newest.id}`,
  };
}
