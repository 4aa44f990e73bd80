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
import { describeConversation, MAX_NAMED } from '../missed/describe-conversation';
import { unreadAmong } from '../reading/unread-messages';

interface Reader {
  readonly realmId: RealmId;
  readonly userId: UserId;
}

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
export async function composeConversation(
  db: Database,
  { realmId, userId }: Reader,
  said: readonly Message[],
): Promise<PushedConversation> {
  const { id, senderId } = said.at(-1)!;
  const { place, nameOf } = await describeConversation(db, { realmId, id: userId }, said);
  const lines = said.map((message) => ({
    sender: nameOf(message.senderId),
    text: plainText(replaceSpoilers(message.rendered, '…').replaceAll(WITHIN_WORDS, '')),
  }));
  if (place.kind === 'private') {
    const { others } = place;
    const named = others.filter((each) => each !== senderId).slice(0, MAX_NAMED);
    const names = others.length > 1 ? named.map(nameOf).join(', ') : '';
    return { lines, place: names, path: `/private/${others.join(',')}/near/${id}` };
  }
  const { stream, topic } = place;
  return {
    lines,
    place: `#${stream.name} › ${topic}`,
    path: `/stream/${stream.id}/topic/${encodeURIComponent(topic)}/near/${id}`,
  };
}
