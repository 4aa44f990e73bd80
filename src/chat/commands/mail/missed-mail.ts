/** Writes the mail about missed messages of one conversation. */
import type { Storage } from '../../../kernel/kernel';
import { paragraph, type Part } from '../../../kernel/mail/written';
import type { Database } from '../../../kernel/mysql/pool';
import type { Composed, Surroundings } from '../../model/mail/composed';
import type { About } from '../../model/mail/mail';
import { type MissedFacts, missedMessagesText } from '../../model/mail/mail-texts';
import { mailedHtml, mailedText } from '../../model/mail/mailed-html';
import { wantsMail } from '../../model/mail/missed-messages';
import { nearConversation, nearTopic } from '../../model/markdown/links/stream-links';
import type { Message } from '../../model/messages/message';
import { wordsFor } from '../../model/texts/chat-words';
import type { User } from '../../model/users/user';
import { settingOf } from '../../model/users/user-settings';
import { unreadAmong } from '../../queries/reading/unread-messages';
import * as messages from '../../store/messages/messages';
import { membersOf } from '../../store/messages/recipients';
import * as streams from '../../store/streams/streams';
import * as people from '../../store/users/people';
import * as settings from '../../store/users/user-settings';
import * as users from '../../store/users/users';
import { oneClickHeaders, unsubscribeLink } from './unsubscribe';

type AboutMissed = Extract<About, { kind: 'missed-messages' }>;

const MAX_SHOWN = 20;
const MAX_CONTENT_LENGTH = 2000;

/** Leaves out messages that were deleted or read since. */
export async function composeMissedMessages(
  { mysql, secrets }: Storage,
  about: AboutMissed,
  { realm, organisation }: Surroundings,
): Promise<Composed> {
  const user = await users.byId(mysql, realm.id, about.userId);
  if (user?.isActive !== true) return { dropped: 'The user is deactivated' };
  const own = await settings.ofUser(mysql, user.id);
  if (!wantsMail(own)) return { dropped: 'The user wants no mail about missed messages' };
  const unread = await unreadAmong(mysql, user.id, await messages.byIds(mysql, realm.id, about.messageIds));
  const [first] = unread;
  if (!first) return { dropped: 'The messages were read or deleted' };
  const mayShow =
    realm.settings.message_content_allowed_in_email_notifications &&
    settingOf(own, 'message_content_in_email_notifications') === true;
  const names = await people.namesOf(
    mysql,
    unread.map(({ senderId }) => senderId),
  );
  const unsubscribe = unsubscribeLink(secrets, organisation, user, 'missed');
  const words = wordsFor(realm, own);
  const around = { url: organisation.url, spoiler: words.say('mail.missed.spoiler') };
  const shown = unread.slice(0, MAX_SHOWN).map((message) => ({
    sender: names.get(message.senderId) ?? '?',
    said: mayShow ? saidIn(message, around) : null,
    sentAt: new Date(message.sentAt * 1000),
  }));
  const { place, path } = await placeOf(mysql, user, first, [...names.values()]);
  const link = `${organisation.url}${path}`;
  const { timezone } = user;
  const facts = { organisation, place, messages: shown, more: unread.length - shown.length };
  return {
    letter: {
      ...missedMessagesText(words, { ...facts, link, unsubscribe, timezone }),
      threadId: `<${realm.id}.${user.id}.${first.recipientId}.${first.topicId ?? 0}@${new URL(organisation.url).hostname}>`,
      headers: oneClickHeaders(unsubscribe),
    },
  };
}

/** A long message is cut, and then shown as it was written: cut HTML would not be whole. */
function saidIn({ content, rendered }: Message, around: { url: string; spoiler: string }): Part {
  const text = mailedText(content, around.spoiler);
  if (text.length > MAX_CONTENT_LENGTH) return paragraph(`${Array.from(text).slice(0, MAX_CONTENT_LENGTH).join('')} …`);
  return { text, html: mailedHtml(rendered, around) };
}

interface Place {
  readonly place: MissedFacts['place'];
  /** To the first missed message in its conversation. */
  readonly path: string;
}

/** All messages of a mail belong to one conversation, so one message determines it. */
async function placeOf(db: Database, user: User, first: Message, senders: readonly string[]): Promise<Place> {
  if (first.topicId === null) {
    const members = await membersOf(db, first.recipientId);
    const others = members.filter((id) => id !== user.id);
    return { place: { people: senders }, path: nearConversation(others.length === 0 ? members : others, first.id) };
  }
  const stream = await streams.byId(db, first.realmId, first.recipientId);
  const { topic } = first;
  if (!stream) return { place: { stream: '?', topic }, path: '/' };
  return { place: { stream: stream.name, topic }, path: nearTopic(stream, topic, first.id) };
}
