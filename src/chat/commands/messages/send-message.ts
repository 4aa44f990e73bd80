/** Stores messages and publishes them to their audience: one, or several of one sender. */
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { Fault } from '../../../kernel/fault';
import { WRITTEN } from '../../../kernel/mailbox/mailbox';
import { CommitUnknown, isDuplicate } from '../../../kernel/mysql/outcome';
import { outgoingCalls, previewsOf } from '../../actors/mailboxes';
import type { AudienceCache } from '../../caches/stream-audiences';
import { badRequest } from '../../model/faults';
import { readAddressees, readStreamAddress } from '../../model/messages/addressees';
import { checkContent, checkTopic, type Draft, originOf } from '../../model/messages/draft';
import type { MessageId } from '../../model/messages/message';
import { realmTenant, type RealmId } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import { type NewMessage, StreamChanged } from '../../store/messages/message-packet';
import * as messages from '../../store/messages/messages';
import { addressPeople, addressStream } from './address-message';
import { type Addressed, composeMessage } from './compose-message';

/** When many users join and leave, a stream may change several times while a message is being sent. */
export const MAX_ATTEMPTS = 30;
const PAUSE_MS = 5;

export async function sendMessage(chat: Sending, by: User, draft: Draft): Promise<{ id: MessageId }> {
  const origin = originOf(by.id, draft);
  for (let tries = 1; ; tries += 1) {
    const { message, addressed } = await prepareMessage(chat, by, draft);
    try {
      const id = await chat.messageWriters.of(by.realmId).write(message);
      wakeForMessage(chat, by.realmId, id, message);
      return { id };
    } catch (error) {
      if (error instanceof StreamChanged && tries < MAX_ATTEMPTS) {
        await forgetStream(chat.audiences, addressed, tries);
        continue;
      }
      // The message may have been sent before, or just now. If so, return it.
      const sent =
        origin !== null && isSettledBefore(error) ? await messages.byOrigin(chat.mysql, by.realmId, origin) : undefined;
      if (sent !== undefined) return { id: sent };
      if (error instanceof StreamChanged) throw streamIsChanging(error);
      throw error;
    }
  }
}

export const streamIsChanging = (cause: StreamChanged): Fault =>
  new Fault('unavailable', 'The stream is being changed; try again', { cause });

/** For the mail that the message's packet has written. */
export function wakeForMessage(chat: Sending, realmId: RealmId, messageId: MessageId, message: NewMessage): void {
  for (const { botId } of message.calls) {
    outgoingCalls.at(realmTenant(realmId), String(botId)).send(chat.jobs, WRITTEN);
  }
  if (message.isPreviewed) previewsOf({ realmId, messageId }).send(chat.jobs, WRITTEN);
}

/** Everything of a message but its id: the audience and the content. */
interface Prepared {
  readonly message: NewMessage;
  readonly addressed: Addressed;
}

export async function prepareMessage(chat: Sending, by: User, draft: Draft): Promise<Prepared> {
  const content = checkContent(draft.content, chat.tooLong);
  const addressed = await address(chat, by, draft);
  const { client, queueId, localId, widget, isReadBySender } = draft;
  const origin = originOf(by.id, draft);
  const composed = { content, client, queueId, localId, widget, isReadBySender, origin, addressed };
  const message = await composeMessage(chat, by, composed);
  return { message, addressed };
}

const isSettledBefore = (error: unknown): boolean => isDuplicate(error) || error instanceof CommitUnknown;

async function address(chat: Sending, by: User, draft: Draft): Promise<Addressed> {
  if (draft.type !== 'stream' && draft.type !== 'private') throw badRequest('Invalid message type');
  const { to = '' } = draft;
  return draft.type === 'stream'
    ? addressStream(chat, by, readStreamAddress(to), checkTopic(draft.topic, chat.tooLong))
    : addressPeople(chat, by, readAddressees(to));
}

/** Before the next attempt. */
export async function forgetStream(
  audiences: AudienceCache,
  { destination, realmId }: Addressed,
  tries: number,
): Promise<void> {
  if (destination.type === 'stream') {
    audiences.delete(realmId, destination.name);
    audiences.delete(realmId, destination.streamId);
  }
  await wait(Math.random() * PAUSE_MS * tries);
}

/** Preparing is mostly rendering. After this many messages, the event loop gets a turn, mainly for database replies. */
const MAX_IN_A_ROW = 20;

type Sent = { readonly id: MessageId } | { readonly error: unknown };

/** In order, in few batches. Each message has its own outcome. */
export async function sendMessages(chat: Sending, by: User, drafts: readonly Draft[]): Promise<Sent[]> {
  const prepared: PromiseSettledResult<Prepared>[] = [];
  for (let start = 0; start < drafts.length; start += MAX_IN_A_ROW) {
    const some = drafts.slice(start, start + MAX_IN_A_ROW);
    prepared.push(...(await Promise.allSettled(some.map((draft) => prepareMessage(chat, by, draft)))));
    await setImmediate();
  }
  const writer = chat.messageWriters.of(by.realmId);
  // Passed on together: the writer keeps their order.
  const written = await Promise.allSettled(
    prepared.map((each) => (each.status === 'fulfilled' ? writer.write(each.value.message) : Promise.reject(each))),
  );
  const outcomes: Sent[] = [];
  for (const [index, outcome] of written.entries()) {
    // Sent alone, to learn why the batch failed: the stream changed, it was sent before, or it is invalid.
    const sendAlone = () => sendMessage(chat, by, drafts[index]!).catch((error: unknown) => ({ error }));
    outcomes.push(outcome.status === 'fulfilled' ? { id: outcome.value } : await sendAlone());
  }
  return outcomes;
}
