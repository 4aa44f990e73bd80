/** Stores a delivery from an external service before the service gets its acknowledgement. */
import { Fault } from '../../../kernel/fault';
import { WRITTEN } from '../../../kernel/mailbox/mailbox';
import type { Keyspace } from '../../../kernel/redis/connections';
import { botInboxes } from '../../actors/mailboxes';
import { integrations } from '../../integrations';
import { noticesOf, type Integration, type Notice } from '../../integrations/integration';
import { textAt } from '../../integrations/payload';
import { eventOf, placeOf, readPayload, dedupeKeyOf, type Posted } from '../../integrations/read-delivery';
import { shortenContent, shortenTopic } from '../../integrations/text';
import { noSuchIntegration, tooMuchWaiting } from '../../model/faults';
import { realmTenant } from '../../model/organisation/realm';
import type { User, UserId } from '../../model/users/user';
import type { Backlog, Chat, Sending, Receiving } from '../../parts';
import { checkSignature } from '../../queries/bots/bots';
import * as deliveries from '../../store/bots/deliveries';
import * as streams from '../../store/streams/streams';
import { findWritable } from '../messages/address-message';
import { notifyOwnerOfStream } from './notify-owner';

type Parts = Pick<Chat, 'audiences' | 'mysql' | 'streamNames'>;

export interface Call extends Posted {
  readonly integration: string;
  readonly bytes: Buffer;
  readonly branches?: string | undefined;
  readonly maxWaiting: number;
}

const BACKLOG_CHECK_MS = 1000;

/** Returns the key's owner if the request only asks for that; nothing is stored then. */
export async function receiveDelivery(chat: Sending & Receiving, bot: User, call: Call): Promise<User | undefined> {
  await checkSignature(chat, bot, call);
  const integration = integrations.get(call.integration);
  if (!integration) throw noSuchIntegration(call.integration);
  if (isKeyCheck(integration, call.query['type'])) return bot;
  const payload = readPayload(integration, call);
  if (isKeyCheck(integration, textAt(payload, 'type'))) return bot;
  const event = eventOf(integration, call, payload);
  // Formatted before it is stored, so that an invalid payload is refused at once.
  const notices = noticesOf(
    integration.format({ payload, event, branches: call.branches, isTopicGiven: call.topic !== undefined }),
  );
  if (notices.length > 0) await takeDown(chat, bot, { integration, call, payload, event, notices });
  return undefined;
}

const isKeyCheck = ({ keyCheckType }: Integration, type: unknown): boolean =>
  keyCheckType !== undefined && type === keyCheckType;

interface Taken {
  readonly integration: Integration;
  readonly call: Call;
  readonly payload: unknown;
  readonly event: string;
  readonly notices: readonly Notice[];
}

async function takeDown(chat: Sending & Receiving, bot: User, taken: Taken): Promise<void> {
  const { integration, call, payload, event, notices } = taken;
  const place = placeOf(integration, call);
  const stream = place.stream === undefined ? null : place.stream.trim();
  if (stream !== null && !(await isThere(chat, bot, stream))) return;
  const dedupeKey = dedupeKeyOf(integration, call, payload, Date.now());
  if (dedupeKey.earlier !== undefined && (await deliveries.isTaken(chat.mysql, bot.id, dedupeKey.earlier))) return;
  await checkBacklog(chat, bot.id, call.maxWaiting);
  await chat.deliveryWriter.write({
    realmId: bot.realmId,
    botId: bot.id,
    integration: integration.name,
    dedupeKey: dedupeKey.key,
    stream,
    topic: place.topic ?? null,
    payload: JSON.stringify(payload),
    event,
    notices: JSON.stringify(notices.map((notice) => shortened(notice, place.topic))),
  });
  // If Redis is away, the worker's sweep finds the delivery.
  botInboxes.at(realmTenant(bot.realmId), String(bot.id)).send(chat.jobs, WRITTEN);
}

const shortened = ({ topic, content }: Notice, given: string | undefined): Notice => ({
  topic: given ?? shortenTopic(topic),
  content: shortenContent(content),
});

/**
 * A service cannot fix a missing or renamed stream and might stop delivering, so the bot's owner is notified instead.
 * If the bot may not post to the stream, the service gets the error at once.
 */
async function isThere(
  chat: Sending & Keyspace & Pick<Chat, 'streamNames'>,
  bot: User,
  stream: string,
): Promise<boolean> {
  try {
    await forgetIfRenamed(chat, bot, stream);
    await findWritable(chat, bot, stream);
    return true;
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'STREAM_DOES_NOT_EXIST') throw error;
    notifyOwnerOfStream(chat, bot, stream);
    return false;
  }
}

/** Drops a stale stream from the cache. The check at send time comes too late to notify the owner only once. */
async function forgetIfRenamed(chat: Parts, { realmId }: User, name: string): Promise<void> {
  const look = async () => (await streams.byName(chat.mysql, realmId, name)) !== undefined;
  const isNamed = await chat.streamNames.get(`${realmId}/${name.toLowerCase()}`, look);
  if (!isNamed) chat.audiences.delete(realmId, name);
}

/** Counts periodically: the cap need not be exact, and counting 50,000 rows per delivery would be an overload. */
async function checkBacklog(
  chat: Pick<Chat, 'backlogs' | 'log' | 'mysql'>,
  botId: UserId,
  most: number,
): Promise<void> {
  let backlog = chat.backlogs.get(botId);
  if (!backlog || performance.now() - backlog.at > BACKLOG_CHECK_MS) {
    const counted = countBacklog(chat, botId, most);
    // Concurrent deliveries use the previous count. Only the very first one waits.
    if (backlog) backlog.at = performance.now();
    else backlog = await counted;
    counted.catch((error: Error) => chat.log.debug({ error }, 'could not count the backlog of a bot'));
  }
  if (backlog.count >= most) throw tooMuchWaiting(most);
  backlog.count += 1;
}

async function countBacklog(chat: Pick<Chat, 'backlogs' | 'mysql'>, botId: UserId, most: number): Promise<Backlog> {
  const counted = { count: await deliveries.backlogOf(chat.mysql, botId, most + 1), at: performance.now() };
  chat.backlogs.set(botId, counted);
  return counted;
}
