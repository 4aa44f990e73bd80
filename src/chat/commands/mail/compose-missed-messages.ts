/** Composes the mail about missed messages of one conversation, leaving out those deleted or read since. */
import type { About } from '../../model/mail/mail';
import { missedMessagesText, type MissedFacts } from '../../model/mail/mail-texts';
import { wantsMail } from '../../model/mail/missed-messages';
import type { Message } from '../../model/messages/message';
import type { UserId } from '../../model/users/user';
import { settingOf } from '../../model/users/user-settings';
import type { Chat } from '../../parts';
import { unreadAmong } from '../../queries/reading/unread-among';
import * as messages from '../../store/messages/messages';
import * as streams from '../../store/streams/streams';
import * as people from '../../store/users/people';
import * as settings from '../../store/users/user-settings';
import * as users from '../../store/users/users';
import type { Composed, Surroundings } from './composed';
import { unsubscribeToken } from './unsubscribe';

type AboutMissed = Extract<About, { kind: 'missed-messages' }>;

const MAX_SHOWN = 20;
const MAX_CONTENT_LENGTH = 2000;

export async function composeMissedMessages(
  chat: Chat,
  about: AboutMissed,
  { realm, organisation }: Surroundings,
): Promise<Composed> {
  const { mysql } = chat.kernel;
  const user = await users.byId(mysql, realm.id, about.userId);
  if (user?.isActive !== true) return { dropped: 'The user is deactivated' };
  const own = await settings.ofUser(mysql, user.id);
  if (!wantsMail(own)) return { dropped: 'The user wants no mail about missed messages' };
  const unread = await unreadAmong(mysql, user.id, await messages.byIds(mysql, realm.id, about.messageIds));
  if (unread.length === 0) return { dropped: 'The messages were read or deleted' };
  const mayShow =
    realm.settings.message_content_allowed_in_email_notifications &&
    settingOf(own, 'message_content_in_email_notifications') === true;
  const names = await namesOf(chat, unread);
  const unsubscribe = `${organisation.url}/unsubscribe/${unsubscribeToken(chat.kernel.secrets, user)}`;
  const shown = unread.slice(0, MAX_SHOWN).map((message) => ({
    sender: names.get(message.senderId) ?? '?',
    content: mayShow ? cut(message.content) : null,
    sentAt: new Date(message.sentAt * 1000),
  }));
  const facts = { organisation, messages: shown, more: unread.length - shown.length, unsubscribe };
  return {
    letter: {
      ...missedMessagesText({ ...facts, place: await placeOf(chat, unread[0]!, [...names.values()]) }),
      headers: {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    },
  };
}

const cut = (content: string): string =>
  content.length <= MAX_CONTENT_LENGTH ? content : `${Array.from(content).slice(0, MAX_CONTENT_LENGTH).join('')} …`;

async function namesOf({ kernel }: Chat, sent: readonly Message[]): Promise<Map<UserId, string>> {
  const senders = [...new Set(sent.map(({ senderId }) => senderId))];
  const found = await people.anywhere(kernel.mysql, senders);
  return new Map(found.map(({ id, fullName }) => [id, fullName]));
}

/** All messages of a mail belong to one conversation, so one message determines it. */
async function placeOf({ kernel }: Chat, message: Message, senders: readonly string[]): Promise<MissedFacts['place']> {
  if (message.topicId === null) return { people: senders };
  const stream = await streams.byId(kernel.mysql, message.realmId, message.recipientId);
  return { stream: stream?.name ?? '?', topic: message.topic };
}
