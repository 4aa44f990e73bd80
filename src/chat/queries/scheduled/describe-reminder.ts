/** What the notification bot says when it reminds somebody of a message: who wrote it, where, and its words. */
import { Fault } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import { nearConversation, nearTopic } from '../../model/markdown/links/stream-links';
import { cutContent } from '../../model/messages/draft';
import { MAX_CONTENT_BYTES, type Message } from '../../model/messages/message';
import { lostReminder, reminderText } from '../../model/scheduled/scheduled-texts';
import type { User, UserId } from '../../model/users/user';
import { membersOf } from '../../store/messages/recipients';
import * as streams from '../../store/streams/streams';
import * as people from '../../store/users/people';
import { accessMessage } from '../messages/access-message';
import { wordsOfPerson } from '../organisation/words-of';

export interface Reminded {
  readonly messageId: number;
  readonly note: string;
}

/** Refuses a message that the person may not see. */
export async function describeReminder({ mysql }: Pick<Storage, 'mysql'>, by: User, { messageId, note }: Reminded) {
  const message = await accessMessage(mysql, by, messageId);
  const place = await placeOf(mysql, by, message);
  const [sender] = await people.byIds(mysql, by.realmId, [message.senderId]);
  const head = reminderText(await wordsOfPerson(mysql, by), {
    ...place,
    note,
    sender: sender!,
    isPrivate: isPrivate(message),
  });
  return `${head}\n${quoted(message.content, MAX_CONTENT_BYTES - Buffer.byteLength(head))}`;
}

/** Without words of the message if the person may not see it any more, or if it is gone. */
export const describeAny = ({ mysql }: Pick<Storage, 'mysql'>, by: User, reminded: Reminded): Promise<string> =>
  describeReminder({ mysql }, by, reminded).catch(async (error: unknown) => {
    if (!(error instanceof Fault && error.kind === 'invalid')) throw error;
    return lostReminder(await wordsOfPerson(mysql, by), reminded.note);
  });

const isPrivate = ({ topicId }: Message): boolean => topicId === null;

async function placeOf(db: Storage['mysql'], by: User, message: Message): Promise<{ link: string; place: string }> {
  if (isPrivate(message)) {
    const members = await membersOf(db, message.recipientId);
    const others = members.filter((id) => id !== by.id);
    const link = nearConversation(others.length === 0 ? members : others, message.id);
    return {
      link,
      place: await mentions(
        db,
        by,
        members.filter((id) => id !== message.senderId),
      ),
    };
  }
  const stream = (await streams.byId(db, by.realmId, message.recipientId))!;
  return { link: nearTopic(stream, message.topic, message.id), place: `**#${stream.name} > ${message.topic}**` };
}

/** More would be a list that nobody reads. */
const MAX_NAMED = 10;

async function mentions(db: Storage['mysql'], by: User, ids: readonly UserId[]): Promise<string> {
  const named = await people.byIds(db, by.realmId, ids.slice(0, MAX_NAMED));
  return named.map(({ id, fullName }) => `@_**${fullName}|${id}**`).join(', ') + (ids.length > MAX_NAMED ? ', …' : '');
}

/** In a fence that is longer than any in the text. */
function quoted(content: string, room: number): string {
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const most = room - 2 * fence.length - 10;
  return `${fence}quote\n${cutContent(content, Math.max(most, 100))}\n${fence}`;
}
