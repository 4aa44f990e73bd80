/** Sends what somebody posts. If a bot's message reaches nobody, its owner hears why, at most once a minute. */
import { redisKey } from '../../kernel/actor/address';
import { Fault } from '../../kernel/fault';
import { readStreamAddress } from '../model/addressees';
import type { Draft } from '../model/draft';
import type { MessageId } from '../model/message';
import { realmTenant } from '../model/realm';
import type { User } from '../model/user';
import type { Chat } from '../parts';
import { sendPrivateNotice } from './send-notice';
import { sendMessage } from './send-message';

export function postMessage(chat: Chat, by: User, draft: Draft): Promise<{ id: MessageId }> {
  const isOwned = by.botOwnerId !== null && draft.type === 'stream';
  return isOwned ? postForOwner(chat, by, draft) : sendMessage(chat, by, draft);
}

async function postForOwner(chat: Chat, by: User, draft: Draft): Promise<{ id: MessageId }> {
  try {
    const sent = await sendMessage(chat, by, draft);
    const unheard = await findUnheard(chat, by, draft.to ?? '');
    if (unheard !== undefined) {
      tellOwner(chat, by, `to stream #**${unheard}**. The stream exists but does not have any subscribers.`);
    }
    return sent;
  } catch (error) {
    if (error instanceof Fault && error.code === 'STREAM_DOES_NOT_EXIST') tellOwner(chat, by, missedBy(error));
    throw error;
  }
}

/** What is no stream may have a name of any length. */
const LONGEST_NAME = 60;

function missedBy({ fields }: Fault): string {
  const { stream, stream_id: id } = fields as { stream?: string; stream_id?: number };
  return id === undefined
    ? `to stream #**${stream?.slice(0, LONGEST_NAME)}**, but that stream does not exist.`
    : `to stream ID ${id}, but there is no stream with that ID.`;
}

/** The name of the stream, if nobody hears it. A send has just looked it up, so this asks nobody. */
async function findUnheard(chat: Chat, by: User, to: string): Promise<string | undefined> {
  const [name] = readStreamAddress(to);
  const hearing = name === undefined ? undefined : await chat.audiences.find(by.realmId, name);
  return hearing?.hearers.size === 0 ? hearing.stream.name : undefined;
}

const PAUSE_SECONDS = 60;

/** The bot does not wait for it. Should Redis be away, nobody is told: a flood of notices would be worse than none. */
function tellOwner(chat: Chat, bot: User, tried: string): void {
  void (async () => {
    try {
      const key = redisKey(chat.kernel.namespace, {
        tenant: realmTenant(bot.realmId),
        kind: 'owner-notice',
        id: String(bot.id),
      });
      const isFirst = await chat.kernel.redis.commands.set(key, '1', 'EX', PAUSE_SECONDS, 'NX');
      if (isFirst === null) return;
      const content = `Your bot \`${bot.email}\` tried to send a message ${tried}`;
      await sendPrivateNotice(chat, bot.realmId, bot.botOwnerId!, content);
    } catch (error) {
      chat.kernel.log.warn({ error, bot: bot.id }, 'the owner of a bot could not be told that nobody hears it');
    }
  })();
}
