/** Notifies a bot's owner, by private message, that the bot cannot send or be reached. Notices are rate-limited. */
import { createHash } from 'node:crypto';
import { redisKey } from '../../../kernel/actor/address';
import type { Keyspace } from '../../../kernel/redis/connections';
import { realmTenant } from '../../model/organisation/realm';
import type { ChatWords } from '../../model/texts/chat-words';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import { wordsOfPerson } from '../../queries/organisation/words-of';
import { sendPrivateNotice } from '../messages/send-notice';

/** The name of a missing stream may have any length. */
const MAX_NAME_LENGTH = 60;

/** Pause between notices about one bot. */
const BOT_PAUSE_SECONDS = 60;
/** Pause between notices about one stream: a misconfigured service goes on for days. */
const STREAM_PAUSE_SECONDS = 3600;

/** Where a bot could not write to, or where nobody reads it. */
export type Missed =
  | { readonly kind: 'no-stream' | 'no-subscribers'; readonly stream: string }
  | { readonly kind: 'no-stream-id'; readonly id: number };

function missedText({ say }: ChatWords, { email }: User, missed: Missed): string {
  switch (missed.kind) {
    case 'no-stream':
      return say('bot.owner.noStream', { email, stream: missed.stream.slice(0, MAX_NAME_LENGTH) });
    case 'no-subscribers':
      return say('bot.owner.noSubscribers', { email, stream: missed.stream });
    case 'no-stream-id':
      return say('bot.owner.noStreamId', { email, id: missed.id });
  }
}

/** At most once a minute. */
export const notifyOwner = (chat: Sending & Keyspace, bot: User, missed: Missed): void =>
  notify(chat, bot, {
    text: (words) => missedText(words, bot, missed),
    isDue: () => begin(chat, bot, String(bot.id), BOT_PAUSE_SECONDS),
  });

/** At most once a minute, and once an hour for the same stream. */
export const notifyOwnerOfStream = (chat: Sending & Keyspace, bot: User, stream: string): void =>
  notify(chat, bot, {
    text: (words) => missedText(words, bot, { kind: 'no-stream', stream }),
    isDue: () => mayNotifyOfStream(chat, bot, stream),
  });

/** At most once a minute, about a message that an outgoing webhook bot's endpoint did not answer. */
export const notifyOwnerOfCall = (chat: Sending & Keyspace, bot: User, link: string, reason: string): void =>
  notify(chat, bot, {
    text: ({ say }) => say('bot.owner.notAnswered', { link, email: bot.email, reason }),
    isDue: () => begin(chat, bot, `call-${bot.id}`, BOT_PAUSE_SECONDS),
  });

interface Notice {
  readonly text: (words: ChatWords) => string;
  readonly isDue: () => Promise<boolean>;
}

/** The bot does not wait for the notice. If Redis is away, no notice is sent: none is better than a flood. */
function notify(chat: Sending, bot: User, { text, isDue }: Notice): void {
  if (bot.botOwnerId === null) return;
  const ownerId = bot.botOwnerId;
  void (async () => {
    try {
      if (!(await isDue())) return;
      const content = text(await wordsOfPerson(chat.mysql, { id: ownerId, realmId: bot.realmId }));
      await sendPrivateNotice(chat, bot.realmId, ownerId, { content });
    } catch (error) {
      chat.log.warn({ error, bot: bot.id }, 'could not notify the owner of a bot');
    }
  })();
}

async function mayNotifyOfStream(kernel: Keyspace, bot: User, stream: string): Promise<boolean> {
  // Stream names are case-insensitive.
  const hash = createHash('sha256').update(stream.toLowerCase()).digest('base64url').slice(0, 22);
  const id = `${bot.id}-${hash}`;
  if (!(await begin(kernel, bot, id, STREAM_PAUSE_SECONDS))) return false;
  if (await begin(kernel, bot, String(bot.id), BOT_PAUSE_SECONDS)) return true;
  // The owner was just notified about another stream. The next delivery to this one tries again.
  await kernel.redis.commands.del(keyOf(kernel.namespace, bot, id));
  return false;
}

const keyOf = (namespace: string, bot: User, id: string): string =>
  redisKey(namespace, { tenant: realmTenant(bot.realmId), kind: 'owner-notice', id });

/** Starts a pause; false if one is already running. */
const begin = async (kernel: Keyspace, bot: User, id: string, seconds: number): Promise<boolean> =>
  (await kernel.redis.commands.set(keyOf(kernel.namespace, bot, id), '1', 'EX', seconds, 'NX')) !== null;
