/** A user's bots: which there are, their keys, storage and signatures. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import { runRead } from '../../../kernel/mysql/read-packet';
import { isGenuine, type SignedDelivery } from '../../integrations/signatures';
import { invalidSignature } from '../../model/faults';
import { avatarOf } from '../../model/uploads/avatar';
import type { User } from '../../model/users/user';
import { noSuchBot, noSuchKey } from '../../model/users/user-faults';
import { ensureMayRun, ensureMember, isBot, isSystemBot } from '../../model/users/user-policy';
import { botDefaults, botServices, NO_BOT_DEFAULTS } from '../../model/users/user-wire';
import type { Chat } from '../../parts';
import * as endpoints from '../../store/bots/bot-endpoints';
import * as botSignatures from '../../store/bots/bot-signatures';
import * as storage from '../../store/bots/bot-storage';
import * as bots from '../../store/bots/bots';
import * as users from '../../store/users/users';

export async function getBot(db: Database, by: User, id: number): Promise<User> {
  const bot = await users.byId(db, by.realmId, id);
  ensure(bot !== undefined && isBot(bot) && !isSystemBot(bot) && bot.isActive, noSuchBot());
  ensureMayRun(by, bot);
  return bot;
}

/** The response to creating or changing a bot. The requester may no longer own it. */
export async function getBotAnswer(kernel: Storage, by: User, id: number): Promise<Record<string, unknown>> {
  const bot = (await users.byId(kernel.mysql, by.realmId, id))!;
  const owner = bot.botOwnerId === null ? undefined : await users.byId(kernel.mysql, by.realmId, bot.botOwnerId);
  const endpoint = await endpoints.find(kernel.mysql, kernel.secrets, bot.id);
  return {
    full_name: bot.fullName,
    avatar_url: avatarOf(bot),
    service_interface: endpoint?.interface ?? null,
    service_payload_url: endpoint?.url ?? null,
    config_data: null,
    ...botDefaults(await bots.defaultsOf(kernel.mysql, bot.id)),
    ...(owner ? { bot_owner: owner.email } : {}),
  };
}

/** A user's own bots, with their API keys. */
export async function listBots(kernel: Storage, by: User): Promise<{ bots: Record<string, unknown>[] }> {
  ensureMember(by);
  const own = await bots.list(kernel.mysql, by.realmId, by.id);
  const ids = own.map(({ id }) => id);
  const sealed = await bots.sealedKeys(kernel.mysql, by.id, ids);
  const defaults = await runRead(kernel.mysql, bots.defaultsRead(ids));
  const found = await endpoints.list(kernel.mysql, kernel.secrets, [...sealed.keys()]);
  return {
    bots: own
      // Drops bots that changed hands since they were listed.
      .filter(({ id }) => sealed.has(id))
      .map((bot) => ({
        username: bot.email,
        user_id: bot.id,
        full_name: bot.fullName,
        bot_type: bot.botType,
        api_key: kernel.secrets.decrypt(sealed.get(bot.id)!),
        avatar_url: avatarOf(bot),
        services: botServices(found.get(bot.id)),
        ...botDefaults(defaults.get(bot.id) ?? NO_BOT_DEFAULTS),
      })),
  };
}

/** A bot's login configuration, in the format that Zulip's clients read. */
export async function getZuliprc(chat: Storage & Pick<Chat, 'realms'>, by: User, id: number): Promise<string> {
  const bot = await getBot(chat.mysql, by, id);
  const sealed = (await bots.sealedKeys(chat.mysql, by.id, [bot.id])).get(bot.id);
  // The bot changed hands or was deactivated after the lookup above.
  if (sealed === undefined) throw noSuchBot();
  const key = chat.secrets.decrypt(sealed);
  return `[api]\nemail=${bot.email}\nkey=${key}\nsite=${await chat.realms.publicUrl(by.realmId)}\n`;
}

/** Reads a bot's key-value storage. */
export async function getBotState(
  db: Database,
  by: User,
  names: readonly string[] | null,
): Promise<{ storage: Record<string, string> }> {
  const known = await storage.read(db, by.id, names);
  for (const name of names ?? []) ensure(known.has(name), noSuchKey());
  return { storage: Object.fromEntries(known) };
}

/** Returns the signature scheme that a bot's deliveries must use, never the secret. */
export async function getBotSignature(db: Database, by: User, id: number): Promise<{ scheme: string | null }> {
  const bot = await getBot(db, by, id);
  return { scheme: await botSignatures.schemeOf(db, bot.id) };
}

/**
 * Checks that a delivery is signed as its bot requires. Applies to every integration in the URL: otherwise an unsigned
 * integration would bypass the check.
 */
export function checkSignature(
  { clock, refusedSignatures }: Pick<Chat, 'clock' | 'refusedSignatures'>,
  wanted: botSignatures.BotSignature | null,
  { bytes, header }: Omit<SignedDelivery, 'now'>,
): void {
  if (wanted === null) return;
  const { scheme, secret } = wanted;
  if (isGenuine(scheme, secret, { bytes, now: clock.now(), header })) return;
  refusedSignatures({ scheme });
  throw invalidSignature();
}
