/** Sends a message from the server itself, which may post anywhere. */
import { checkContent } from '../../model/messages/draft';
import type { MessageId } from '../../model/messages/message';
import type { RealmId } from '../../model/organisation/realm';
import type { StreamId } from '../../model/streams/stream';
import type { User, UserId } from '../../model/users/user';
import type { Chat, Sending } from '../../parts';
import { StreamChanged } from '../../store/messages/message-packet';
import { addressedBy } from './address-stream';
import { composeMessage, type Addressed } from './compose-message';
import { notificationBot } from './notification-bot';
import { sendMessage } from './send-message';

export interface StreamNotice {
  readonly streamId: StreamId;
  readonly topic: string;
  readonly content: string;
}

/** The client name of its messages. */
const CLIENT = 'Internal';
const MAX_ATTEMPTS = 5;

export async function sendNotice(
  chat: Sending,
  realmId: RealmId,
  notice: StreamNotice,
): Promise<MessageId | undefined> {
  const bot = await notificationBot(chat, realmId);
  for (let tries = 1; ; tries += 1) {
    const addressed = await address(chat, realmId, notice);
    // The stream was deactivated meanwhile: there is no audience.
    if (!addressed) return undefined;
    try {
      return await write(chat, bot, notice, addressed);
    } catch (error) {
      if (!(error instanceof StreamChanged) || tries === MAX_ATTEMPTS) throw error;
      chat.audiences.delete(realmId, notice.streamId);
    }
  }
}

export const sendPrivateNotice = (chat: Sending, realmId: RealmId, userId: UserId, content: string): Promise<void> =>
  sendPrivateNoticeOnce(chat, realmId, userId, { content });

export interface PrivateNotice {
  readonly content: string;
  /** A notice with the same key is sent only once. */
  readonly idempotencyKey?: string;
}

export async function sendPrivateNoticeOnce(
  chat: Sending,
  realmId: RealmId,
  userId: UserId,
  notice: PrivateNotice,
): Promise<void> {
  const bot = await notificationBot(chat, realmId);
  await sendMessage(chat, bot, { type: 'private', to: JSON.stringify([userId]), client: CLIENT, ...notice });
}

async function write(chat: Sending, bot: User, notice: StreamNotice, addressed: Addressed): Promise<MessageId> {
  const content = checkContent(notice.content);
  const draft = { content, client: CLIENT, origin: null, addressed };
  return chat.messageWriters.of(bot.realmId).write(await composeMessage(chat, bot, draft));
}

async function address(
  chat: Pick<Chat, 'audiences' | 'topics'>,
  realmId: RealmId,
  { streamId, topic }: StreamNotice,
): Promise<Addressed | undefined> {
  const audience = await chat.audiences.find(realmId, streamId);
  if (!audience) return undefined;
  return addressedBy(audience, await chat.topics.ensure(audience.stream.id, topic), topic);
}
