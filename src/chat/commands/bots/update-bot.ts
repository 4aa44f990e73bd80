/** Changes a bot, for its owner or an administrator. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { FileDraft } from '../../../kernel/files/stored-file';
import type { Secrets } from '../../../kernel/secrets/secrets';
import { checkEndpointUrl, checkInterface } from '../../model/bots/outgoing-webhook';
import { INCOMING_WEBHOOK, type User } from '../../model/users/user';
import { botAdded, botChanged, botRemoved, userChanged } from '../../model/users/user-events';
import { badNewOwner, noSuchBot, onlyOutgoingBots, onlyWebhookBots } from '../../model/users/user-faults';
import { ensureMayRun } from '../../model/users/user-policy';
import { botDefaults } from '../../model/users/user-wire';
import type { Chat } from '../../parts';
import { lacksFactor } from '../../queries/accounts/get-two-factor';
import { getBot } from '../../queries/bots/bots';
import { accessStream } from '../../queries/streams/access-stream';
import * as endpoints from '../../store/bots/bot-endpoints';
import * as botSignatures from '../../store/bots/bot-signatures';
import * as bots from '../../store/bots/bots';
import * as users from '../../store/users/users';
import { changeAvatar, makeAvatar } from '../uploads/change-pictures';
import { publishBotChange, renameIn } from '../users/update-user';

type Parts = Storage & Pick<Chat, 'pictures'>;

/** Streams by name; an empty name means none. */
export interface BotStreams {
  readonly sendingStream?: string | undefined;
  readonly eventsStream?: string | undefined;
  readonly isAllPublic?: boolean | undefined;
}

interface BotEdit extends BotStreams {
  readonly fullName?: string | undefined;
  readonly ownerId?: number | undefined;
  readonly picture?: FileDraft | undefined;
  readonly endpointUrl?: string | undefined;
  readonly endpointInterface?: number | undefined;
}

export async function updateBot(chat: Parts, by: User, id: number, edit: BotEdit): Promise<void> {
  await getBot(chat.mysql, by, id);
  const defaults = await findBotStreams(chat.mysql, by, edit);
  const avatar = edit.picture && (await makeAvatar(chat.pictures, by, edit.picture));
  await chat.transaction(async (tx) => {
    const bot = await lockBot(tx.db, by, id);
    if (edit.fullName !== undefined) await renameIn(tx, bot, edit.fullName);
    const owned = edit.ownerId === undefined ? bot : await changeOwner(tx, bot, edit.ownerId);
    await changeDefaults(tx, owned, defaults);
    await changeEndpoint(tx, chat.secrets, owned, edit);
    if (avatar) await changeAvatar(tx, owned, avatar);
  });
}

/** Checks the right again under the lock, because the owner may have changed. */
async function lockBot(db: Database, by: User, id: number): Promise<User> {
  const bot = await users.lock(db, by.realmId, id);
  ensure(bot?.isActive === true, noSuchBot());
  ensureMayRun(by, bot);
  return bot;
}

/** The bot may use streams that the editor can see. */
export async function findBotStreams(db: Database, by: User, written: BotStreams): Promise<bots.DefaultsChange> {
  const find = async (name: string) => (name === '' ? null : (await accessStream(db, by, name)).stream.id);
  return {
    ...(written.sendingStream === undefined ? {} : { sendingStreamId: await find(written.sendingStream) }),
    ...(written.eventsStream === undefined ? {} : { eventsStreamId: await find(written.eventsStream) }),
    ...(written.isAllPublic === undefined ? {} : { isAllPublic: written.isAllPublic }),
  };
}

async function changeDefaults(tx: Tx, bot: User, change: bots.DefaultsChange): Promise<void> {
  if (Object.keys(change).length === 0) return;
  const before = botDefaults(await bots.defaultsOf(tx.db, bot.id));
  await bots.setDefaults(tx.db, bot.id, change);
  const after = botDefaults(await bots.defaultsOf(tx.db, bot.id));
  const audience = await bots.audience(tx.db, bot.realmId, bot.botOwnerId);
  for (const [name, value] of Object.entries(after)) {
    if (value !== before[name as keyof typeof before]) tx.deliver(botChanged(bot, { [name]: value }, audience));
  }
}

/** Fields that are not given keep their values. */
async function changeEndpoint(tx: Tx, secrets: Secrets, bot: User, edit: BotEdit): Promise<void> {
  if (edit.endpointUrl === undefined && edit.endpointInterface === undefined) return;
  const before = await endpoints.find(tx.db, secrets, bot.id);
  if (!before) throw onlyOutgoingBots();
  const url = edit.endpointUrl === undefined ? before.url : checkEndpointUrl(edit.endpointUrl, 'service_payload_url');
  const format = edit.endpointInterface === undefined ? before.interface : checkInterface(edit.endpointInterface);
  await endpoints.set(tx.db, secrets, bot, { ...before, url, interface: format });
  // The services hold secrets, so they are filled in at delivery.
  await publishBotChange(tx, bot, { services: null });
}

/** Returns the bot with its owner. */
async function changeOwner(tx: Tx, bot: User, ownerId: number): Promise<User> {
  const owner = await users.lock(tx.db, bot.realmId, ownerId);
  if (!owner) throw badNewOwner('no such user');
  ensure(owner.isActive, badNewOwner('user is deactivated'));
  ensure(owner.botType === null, badNewOwner("bots can't own other bots"));
  ensure(
    !(await lacksFactor(tx.db, owner)),
    badNewOwner('user lacks the second factor that the organization requires'),
  );
  if (owner.id === bot.botOwnerId) return bot;
  const before = await bots.audience(tx.db, bot.realmId, bot.botOwnerId);
  await users.update(tx.db, bot.id, { botOwnerId: owner.id });
  const after = await bots.audience(tx.db, bot.realmId, owner.id);
  const leaving = before.ids.filter((id) => !after.ids.includes(id));
  const joining = after.ids.filter((id) => !before.ids.includes(id));
  const now = { ...bot, botOwnerId: owner.id };
  // The old owner sees the bot removed, the new owner sees it added, and administrators see the owner change.
  if (leaving.length > 0) tx.deliver(botRemoved(bot, { ...before, ids: leaving }));
  if (joining.length > 0) {
    const defaults = await bots.defaultsOf(tx.db, bot.id);
    tx.deliver(botAdded(now, defaults, { ...after, ids: joining }));
  }
  const staying = after.ids.filter((id) => before.ids.includes(id));
  if (staying.length > 0) tx.deliver(botChanged(bot, { owner_id: owner.id }, { ...after, ids: staying }));
  tx.deliver(userChanged(bot, { bot_owner_id: owner.id }));
  return now;
}

/** Sets the secret with which services sign their deliveries. Null removes it: the bot's key alone is enough again. */
export async function changeBotSignature(
  kernel: Storage,
  by: User,
  id: number,
  signature: botSignatures.BotSignature | null,
): Promise<void> {
  await getBot(kernel.mysql, by, id);
  await kernel.transaction(async ({ db }) => {
    const bot = await lockBot(db, by, id);
    ensure(bot.botType === INCOMING_WEBHOOK, onlyWebhookBots());
    if (signature) await botSignatures.set(db, kernel.secrets, bot.id, signature);
    else await botSignatures.remove(db, bot.id);
  });
}
