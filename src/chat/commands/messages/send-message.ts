/** Stores a message and publishes it to its audience. */
import { setTimeout as wait } from 'node:timers/promises';
import { Fault } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import { WRITTEN } from '../../../kernel/mailbox/mailbox';
import { CommitUnknown, isDuplicate } from '../../../kernel/mysql/outcome';
import { outgoingCalls, previewsOf } from '../../actors/mailboxes';
import type { AudienceCache } from '../../caches/stream-audiences';
import { badRequest } from '../../model/faults';
import { readAddressees, readStreamAddress } from '../../model/messages/addressees';
import { checkContent, checkTopic, originOf, type Draft } from '../../model/messages/draft';
import type { MessageId } from '../../model/messages/message';
import { realmTenant } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import type { Chat, Sending } from '../../parts';
import { StreamChanged, type NewMessage } from '../../store/messages/message-packet';
import * as messages from '../../store/messages/messages';
import { addressPeople } from './address-people';
import { addressStream } from './address-stream';
import { composeMessage, type Addressed } from './compose-message';

type Parts = Storage & Pick<Chat, 'audiences' | 'conversations' | 'tooLong' | 'topics'>;

/** When many users join and leave, a stream may change several times while a message is being sent. */
const MAX_ATTEMPTS = 30;
const PAUSE_MS = 5;

export async function sendMessage(chat: Sending, by: User, draft: Draft): Promise<{ id: MessageId }> {
  const origin = originOf(by.id, draft);
  for (let tries = 1; ; tries += 1) {
    const { message, addressed } = await prepareMessage(chat, by, draft);
    try {
      const id = await chat.messageWriters.of(by.realmId).write(message);
      for (const { botId } of message.calls) {
        outgoingCalls.at(realmTenant(by.realmId), String(botId)).send(chat.jobs, WRITTEN);
      }
      if (message.isPreviewed) previewsOf({ realmId: by.realmId, messageId: id }).send(chat.jobs, WRITTEN);
      return { id };
    } catch (error) {
      if (error instanceof StreamChanged && tries < MAX_ATTEMPTS) {
        forgetStream(chat.audiences, addressed);
        await wait(Math.random() * PAUSE_MS * tries);
        continue;
      }
      // The message may have been sent before, or just now. If so, return it.
      const sent =
        origin !== null && isSettledBefore(error) ? await messages.byOrigin(chat.mysql, by.realmId, origin) : undefined;
      if (sent !== undefined) return { id: sent };
      if (error instanceof StreamChanged)
        throw new Fault('unavailable', 'The stream is being changed; try again', { cause: error });
      throw error;
    }
  }
}

/** Prepares everything of a message but its id: the audience and the content. */
export async function prepareMessage(
  chat: Sending,
  by: User,
  draft: Draft,
): Promise<{ message: NewMessage; addressed: Addressed }> {
  const content = checkContent(draft.content, chat.tooLong);
  const addressed = await address(chat, by, draft);
  const { client, queueId, localId, widget } = draft;
  const origin = originOf(by.id, draft);
  const message = await composeMessage(chat, by, { content, client, queueId, localId, widget, origin, addressed });
  return { message, addressed };
}

const isSettledBefore = (error: unknown): boolean => isDuplicate(error) || error instanceof CommitUnknown;

async function address(chat: Parts, by: User, draft: Draft): Promise<Addressed> {
  if (draft.type !== 'stream' && draft.type !== 'private') throw badRequest('Invalid message type');
  const { to = '' } = draft;
  return draft.type === 'stream'
    ? addressStream(chat, by, readStreamAddress(to), checkTopic(draft.topic, chat.tooLong))
    : addressPeople(chat, by, readAddressees(to));
}

function forgetStream(audiences: AudienceCache, { destination, realmId }: Addressed): void {
  if (destination.type !== 'stream') return;
  audiences.delete(realmId, destination.name);
  audiences.delete(realmId, destination.streamId);
}
