/** Says something in the name of the server itself, which may write anywhere. */
import type { Kernel } from '../../kernel/kernel';
import { messageWriter } from '../actors/message-writer';
import { checkContent } from '../model/draft';
import type { MessageId } from '../model/message';
import type { RealmId } from '../model/realm';
import type { StreamId } from '../model/stream';
import type { User, UserId } from '../model/user';
import { findHearing, forgetHearing } from '../queries/find-hearing';
import { ensureTopic } from '../queries/find-topic';
import { StreamChanged } from '../store/message-packet';
import { addressedBy } from './address-stream';
import { composeMessage, type Addressed } from './compose-message';
import { notificationBot } from './notification-bot';
import { sendMessage } from './send-message';

export interface StreamNotice {
  readonly streamId: StreamId;
  readonly topic: string;
  readonly content: string;
}

/** The program its messages come from. */
const CLIENT = 'Internal';
const MOST_ATTEMPTS = 5;

export async function sendNotice(
  kernel: Kernel,
  realmId: RealmId,
  notice: StreamNotice,
): Promise<MessageId | undefined> {
  const bot = await notificationBot(kernel, realmId);
  for (let tries = 1; ; tries += 1) {
    const addressed = await address(kernel, realmId, notice);
    // Deactivated meanwhile: nobody is left to tell.
    if (!addressed) return undefined;
    try {
      return await write(kernel, bot, notice, addressed);
    } catch (error) {
      if (!(error instanceof StreamChanged) || tries === MOST_ATTEMPTS) throw error;
      forgetHearing(kernel, realmId, notice.streamId);
    }
  }
}

export async function sendPrivateNotice(
  kernel: Kernel,
  realmId: RealmId,
  userId: UserId,
  content: string,
): Promise<void> {
  const bot = await notificationBot(kernel, realmId);
  await sendMessage(kernel, bot, { type: 'private', to: JSON.stringify([userId]), content, client: CLIENT });
}

async function write(kernel: Kernel, bot: User, notice: StreamNotice, addressed: Addressed): Promise<MessageId> {
  const content = checkContent(notice.content);
  const draft = { content, client: CLIENT, origin: null, addressed };
  return messageWriter(kernel, bot.realmId).write(await composeMessage(kernel, bot, draft));
}

async function address(
  kernel: Kernel,
  realmId: RealmId,
  { streamId, topic }: StreamNotice,
): Promise<Addressed | undefined> {
  const hearing = await findHearing(kernel, realmId, streamId);
  if (!hearing) return undefined;
  return addressedBy(hearing, await ensureTopic(kernel, hearing.stream.id, topic), topic);
}
