/** Sends a message from the server itself, which may post anywhere. */
import { checkContent, type Draft } from '../../model/messages/draft';
import type { MessageId } from '../../model/messages/message';
import type { RealmId } from '../../model/organisation/realm';
import type { StreamId } from '../../model/streams/stream';
import type { UserId } from '../../model/users/user';
import type { Sending } from '../../parts';
import { StreamChanged } from '../../store/messages/message-packet';
import { addressTopic } from './address-message';
import { composeMessage } from './compose-message';
import { notificationBot } from './notification-bot';
import { sendMessage } from './send-message';

export interface StreamNotice {
  readonly streamId: StreamId;
  readonly topic: string;
  readonly content: string;
}

/** The client name of its messages. */
export const CLIENT = 'Internal';
const MAX_ATTEMPTS = 5;

export async function sendNotice(
  chat: Sending,
  realmId: RealmId,
  { streamId, topic, content }: StreamNotice,
): Promise<MessageId | undefined> {
  const bot = await notificationBot(chat, realmId);
  for (let tries = 1; ; tries += 1) {
    const audience = await chat.audiences.find(realmId, streamId);
    // The stream was deactivated meanwhile, or nobody may write to it any more.
    if (!audience || audience.stream.isArchived) return undefined;
    const addressed = await addressTopic(chat.topics, audience, topic);
    const draft = { content: checkContent(content), client: CLIENT, origin: null, addressed };
    try {
      return await chat.messageWriters.of(realmId).write(await composeMessage(chat, bot, draft));
    } catch (error) {
      if (!(error instanceof StreamChanged) || tries === MAX_ATTEMPTS) throw error;
      chat.audiences.delete(realmId, streamId);
    }
  }
}

/** A notice with an origin or a key is sent only once. */
export async function sendPrivateNotice(
  chat: Sending,
  realmId: RealmId,
  userId: UserId,
  notice: Pick<Draft, 'content' | 'idempotencyKey' | 'origin'>,
): Promise<void> {
  const bot = await notificationBot(chat, realmId);
  await sendMessage(chat, bot, { type: 'private', to: JSON.stringify([userId]), client: CLIENT, ...notice });
}
