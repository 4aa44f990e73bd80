/** Notices about moved messages and resolved topics, with Zulip's wording. A failure is only logged. */
import { MAX_TOPIC_CHARACTERS } from '../../model/messages/message';
import type { Notices } from '../../model/messages/revision';
import { RESOLVED } from '../../model/reading/narrow-condition';
import type { Stream } from '../../model/streams/stream';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import { updateFlags } from '../reading/update-flags';
import { sendNotice, type StreamNotice } from './send-notice';
import type { Moved } from './move-to-stream';

const linked = ({ stream, topic }: { stream: Pick<Stream, 'name'>; topic: string }): string =>
  `#**${stream.name}>${topic}**`;
const silently = ({ fullName, id }: User): string => `@_**${fullName}|${id}**`;
const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED);
const withoutMark = (topic: string): string => (isResolved(topic) ? topic.slice(RESOLVED.length) : topic);

/** Clients of Zulip 2.1 know no notices: a change of topic by them causes none. */
export async function notifyOfMove(chat: Sending, by: User, moved: Moved, wanted: Notices): Promise<void> {
  const { from, to } = moved;
  const isSameStream = from.stream.id === to.stream.id;
  try {
    if (isSameStream && isResolved(from.topic) !== isResolved(to.topic) && isNameKept(from.topic, to.topic)) {
      const state = isResolved(to.topic) ? 'resolved' : 'unresolved';
      const content = `${silently(by)} has marked this topic as ${state}.`;
      await say(chat, by, { streamId: to.stream.id, topic: to.topic, content });
      return;
    }
    if (wanted.new ?? !isSameStream) {
      const content = `${subjectOf(moved)} moved here from ${linked(from)} by ${silently(by)}.`;
      await say(chat, by, { streamId: to.stream.id, topic: to.topic, content });
    }
    if (wanted.old === true) {
      const what = moved.isWhole ? 'This topic was moved' : `${subjectOf(moved)} moved from this topic`;
      await say(chat, by, {
        streamId: from.stream.id,
        topic: from.topic,
        content: `${what} to ${linked(to)} by ${silently(by)}.`,
      });
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

function subjectOf({ isWhole, count }: Moved): string {
  if (isWhole) return 'This topic was';
  return count === 1 ? 'A message was' : `${count} messages were`;
}

/** The requester's own copy is marked as read; that is refused if they are not subscribed. */
async function say(chat: Sending, by: User, notice: StreamNotice): Promise<void> {
  const id = await sendNotice(chat, by.realmId, notice);
  if (id === undefined) return;
  await updateFlags(chat.transaction, by, { messageIds: [id], operation: 'add', flag: 'read' }).catch(() => {});
}
