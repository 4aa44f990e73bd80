/** Writes the mail about missed messages of one conversation. */
import type { Storage } from '../../../kernel/kernel';
import { paragraph, type Part } from '../../../kernel/mail/written';
import type { Composed, Surroundings } from '../../model/mail/composed';
import type { About } from '../../model/mail/mail';
import { type MissedFacts, missedMessagesText } from '../../model/mail/mail-texts';
import { mailedHtml, mailedText, type Surroundings as AroundMessage } from '../../model/mail/mailed-html';
import { clockOf } from '../../model/mail/moments';
import { nearConversation, nearTopic } from '../../model/markdown/links/stream-links';
import { MENTIONS, type Message } from '../../model/messages/message';
import { isToAll } from '../../model/missed/missed-rules';
import { wordsFor } from '../../model/texts/chat-words';
import { settingOf } from '../../model/users/user-settings';
import { stillMailedTo } from '../../queries/missed/still-mailed';
import { describeConversation, type Described } from '../../queries/missed/describe-conversation';
import { unreadAmong } from '../../queries/reading/unread-messages';
import * as messages from '../../store/messages/messages';
import { marksOf } from '../../store/reading/read-state';
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
  const sent = await messages.byIds(mysql, realm.id, about.messageIds);
  const unread = await unreadAmong(mysql, user.id, await stillMailedTo(mysql, user.id, sent));
  const [first] = unread;
  if (!first) return { dropped: 'The messages were read, deleted or are not wanted by mail' };
  const mayShow =
    realm.settings.message_content_allowed_in_email_notifications &&
    settingOf(own, 'message_content_in_email_notifications') === true;
  const described = await describeConversation(mysql, user, unread);
  const unsubscribe = unsubscribeLink(secrets, organisation, user, 'missed');
  const words = wordsFor(realm, own);
  const { timezone } = user;
  const timeOf = clockOf(words, timezone);
  const around = { url: organisation.url, spoiler: words.say('mail.missed.spoiler'), timeOf };
  const shown = unread.slice(0, MAX_SHOWN).map((message) => ({
    sender: described.nameOf(message.senderId),
    said: mayShow ? saidIn(message, around) : null,
    sentAt: new Date(message.sentAt * 1000),
  }));
  const { flags } = await marksOf(mysql, user.id, unread);
  const isMention = unread.some((each) => isToAll(each) || MENTIONS.some((flag) => flags.get(each.id)?.has(flag)));
  const { place, path } = placeIn(described, unread, isMention);
  const link = `${organisation.url}${path}`;
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
function saidIn({ content, rendered }: Message, around: AroundMessage): Part {
  const text = mailedText(content, around);
  if (text.length > MAX_CONTENT_LENGTH) return paragraph(`${Array.from(text).slice(0, MAX_CONTENT_LENGTH).join('')} …`);
  return { text, html: mailedHtml(rendered, around) };
}

interface Place {
  readonly place: MissedFacts['place'];
  /** To the first missed message in its conversation. */
  readonly path: string;
}

function placeIn({ place, nameOf }: Described, unread: readonly Message[], isMention: boolean): Place {
  const { id } = unread[0]!;
  if (place.kind === 'private') {
    const people = [...new Set(unread.map(({ senderId }) => senderId))].map(nameOf);
    return { place: { people }, path: nearConversation(place.others, id) };
  }
  const { stream, topic } = place;
  return { place: { stream: stream.name, topic, isMention }, path: nearTopic(stream, topic, id) };
}
