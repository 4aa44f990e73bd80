/** Sends a posted message. If a bot's message reaches nobody, its owner is told why, at most once a minute. */
import { Fault } from '../../../kernel/fault';
import type { Keyspace } from '../../../kernel/redis/connections';
import { readStreamAddress } from '../../model/messages/addressees';
import type { Draft } from '../../model/messages/draft';
import type { MessageId } from '../../model/messages/message';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import { notifyOwner, type Missed } from '../bots/notify-owner';
import { sendMessage } from './send-message';

export function postMessage(chat: Sending & Keyspace, by: User, draft: Draft): Promise<{ id: MessageId }> {
  const isOwned = by.botOwnerId !== null && draft.type === 'stream';
  return isOwned ? postForOwner(chat, by, draft) : sendMessage(chat, by, draft);
}

async function postForOwner(chat: Sending & Keyspace, by: User, draft: Draft): Promise<{ id: MessageId }> {
  const sent = await sendMessage(chat, by, draft).catch((error: unknown) => {
    if (error instanceof Fault && error.code === 'STREAM_DOES_NOT_EXIST') notifyOwner(chat, by, missedBy(error));
    throw error;
  });
  // The message is sent. If a failure here became its answer, the bot would send it again.
  await notifyOfSilence(chat, by, draft.to ?? '').catch((error: Error) =>
    chat.log.warn({ error, bot: by.id }, "could not read the recipients of a bot's message"),
  );
  return sent;
}

function missedBy({ fields }: Fault): Missed {
  const { stream = '', stream_id: id } = fields as { stream?: string; stream_id?: number };
  return id === undefined ? { kind: 'no-stream', stream } : { kind: 'no-stream-id', id };
}

/** The send has just cached the stream, so this needs no query. */
async function notifyOfSilence(chat: Sending & Keyspace, by: User, to: string): Promise<void> {
  const [name] = readStreamAddress(to);
  const audience = name === undefined ? undefined : await chat.audiences.find(by.realmId, name);
  if (audience?.subscribers.size !== 0) return;
  notifyOwner(chat, by, { kind: 'no-subscribers', stream: audience.stream.name });
}
