/** Notices about moved messages and resolved topics, with Zulip's wording. A failure is only logged. */
import { MAX_TOPIC_CHARACTERS } from '../../model/messages/message';
import type { Notices } from '../../model/messages/revision';
import { RESOLVED } from '../../model/reading/narrow-condition';
import type { Stream } from '../../model/streams/stream';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import { wordsOfRealm } from '../../queries/organisation/words-of';
import { updateFlags } from '../reading/update-flags';
import { sendNotice, type StreamNotice } from './send-notice';
import type { Moved } from './move-to-stream';

interface Place {
  readonly stream: Pick<Stream, 'id' | 'name'>;
  readonly topic: string;
}

const linked = ({ stream, topic }: Place): string => `#**${stream.name}>${topic}**`;
const silently = ({ fullName, id }: User): string => `@_**${fullName}|${id}**`;
const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED);
const withoutMark = (topic: string): string => (isResolved(topic) ? topic.slice(RESOLVED.length) : topic);

/** Clients of Zulip 2.1 know no notices: a change of topic by them causes none. */
export async function notifyOfMove(chat: Sending, user: User, moved: Moved, wanted: Notices): Promise<void> {
  const { from, to, isWhole, count } = moved;
  const isSameStream = from.stream.id === to.stream.id;
  const tell = (place: Place, content: string): Promise<void> =>
    sendRead(chat, user, { streamId: place.stream.id, topic: place.topic, content });
  try {
    const { say } = await wordsOfRealm(chat.mysql, user.realmId);
    const facts = { by: silently(user), from: linked(from), to: linked(to) };
    if (isSameStream && isResolved(from.topic) !== isResolved(to.topic) && isNameKept(from.topic, to.topic)) {
      await tell(to, say(isResolved(to.topic) ? 'bot.topic.resolved' : 'bot.topic.unresolved', facts));
      return;
    }
    if (wanted.new ?? !isSameStream) {
      await tell(to, isWhole ? say('bot.move.here', facts) : say('bot.move.someHere', { ...facts, count }));
    }
    if (wanted.old === true) {
      await tell(from, isWhole ? say('bot.move.away', facts) : say('bot.move.someAway', { ...facts, count }));
    }
  } catch (error) {
    chat.log.warn({ error }, 'could not notify about a move');
  }
}

/** A long name is cut to make room for the mark. */
function isNameKept(before: string, after: string): boolean {
  const [one, other] = [withoutMark(before), withoutMark(after)];
  return one === other || (Array.from(after).length === MAX_TOPIC_CHARACTERS && one.startsWith(other));
}

/** The requester's own copy is marked as read; that is refused if they are not subscribed. */
async function sendRead(chat: Sending, by: User, notice: StreamNotice): Promise<void> {
  const id = await sendNotice(chat, by.realmId, notice);
  if (id === undefined) return;
  await updateFlags(chat.transaction, by, { messageIds: [id], operation: 'add', flag: 'read' }).catch(() => {});
}
