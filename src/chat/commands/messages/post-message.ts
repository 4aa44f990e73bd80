/** Sends a posted message. If a bot's message reaches nobody, its owner is told why, at most once a minute. */
import { Fault } from '../../../kernel/fault';
import { readStreamAddress } from '../../model/messages/addressees';
import type { Draft } from '../../model/messages/draft';
import type { MessageId } from '../../model/messages/message';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { missingStreamText, notifyOwner } from '../bots/notify-owner';
import { sendMessage } from './send-message';

export function postMessage(chat: Chat, by: User, draft: Draft): Promise<{ id: MessageId }> {
  const isOwned = by.botOwnerId !== null && draft.type === 'stream';
  return isOwned ? postForOwner(chat, by, draft) : sendMessage(chat, by, draft);
}

async function postForOwner(chat: Chat, by: User, draft: Draft): Promise<{ id: MessageId }> {
  try {
    const sent = await sendMessage(chat, by, draft);
    const silent = await findSilentStream(chat, by, draft.to ?? '');
    if (silent !== undefined) {
      notifyOwner(chat, by, `to stream #**${silent}**. The stream exists but does not have any subscribers.`);
    }
    return sent;
  } catch (error) {
    if (error instanceof Fault && error.code === 'STREAM_DOES_NOT_EXIST') notifyOwner(chat, by, missedBy(error));
    throw error;
  }
}

function missedBy({ fields }: Fault): string {
  const { stream = '', stream_id: id } = fields as { stream?: string; stream_id?: number };
  return id === undefined ? missingStreamText(stream) : `to stream ID ${id}, but there is no stream with that ID.`;
}

/** Returns the stream's name if it has no subscribers. The send has just cached it, so this needs no query. */
async function findSilentStream(chat: Chat, by: User, to: string): Promise<string | undefined> {
  const [name] = readStreamAddress(to);
  const audience = name === undefined ? undefined : await chat.audiences.find(by.realmId, name);
  return audience?.subscribers.size === 0 ? audience.stream.name : undefined;
}
