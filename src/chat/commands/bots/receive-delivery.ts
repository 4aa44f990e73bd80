/** Stores a delivery from an external service before the service gets its acknowledgement. */
import { Fault } from '../../../kernel/fault';
import { WRITTEN } from '../../../kernel/mailbox/mailbox';
import { known, runRead, together } from '../../../kernel/mysql/read-packet';
import type { Keyspace } from '../../../kernel/redis/connections';
import { botInboxes } from '../../actors/mailboxes';
import { integrations } from '../../integrations';
import { noticesOf, type Integration, type Notice } from '../../integrations/integration';
import { textAt } from '../../integrations/payload';
import { eventOf, placeOf, readPayload, dedupeKeyOf, type Posted } from '../../integrations/read-delivery';
import { shortenContent, shortenTopic } from '../../integrations/text';
import { noSuchIntegration, tooMuchWaiting } from '../../model/faults';
import { realmTenant } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import type { Backlog, Inbox, Sending, Receiving } from '../../parts';
import { checkSignature } from '../../queries/bots/bots';
import { signatureRead } from '../../store/bots/bot-signatures';
import { backlogRead } from '../../store/bots/deliveries';
import { isNamedRead } from '../../store/streams/streams';
import { findWritable } from '../messages/address-message';
import { notifyOwnerOfStream } from './notify-owner';

export interface Call extends Posted {
  readonly integration: string;
  readonly bytes: Buffer;
  readonly branches?: string | undefined;
  readonly maxWaiting: number;
}

const BACKLOG_CHECK_MS = 1000;

/** Returns the key's owner if the request only asks for that; nothing is stored then. */
export async function receiveDelivery(chat: Sending & Receiving, bot: User, call: Call): Promise<User | undefined> {
  const integration = integrations.get(call.integration);
  const place = placeOf(integration ?? {}, call);
  const stream = place.stream?.trim() ?? null;
  const inbox = await findInbox(chat, bot, stream, call.maxWaiting);
  checkSignature(chat, inbox.signature, call);
  if (!integration) throw noSuchIntegration(call.integration);
  if (isKeyCheck(integration, call.query['type'])) return bot;
  const payload = readPayload(integration, call);
  if (isKeyCheck(integration, textAt(payload, 'type'))) return bot;
  const event = eventOf(integration, call, payload);
  // Formatted before it is stored, so that an invalid payload is refused at once.
  const notices = noticesOf(
    integration.format({ payload, event, branches: call.branches, isTopicGiven: call.topic !== undefined }),
  );
  if (notices.length === 0 || (stream !== null && !(await isThere(chat, bot, stream, inbox)))) return undefined;
  countWaiting(inbox.backlog, call.maxWaiting);
  const { key, earlier } = dedupeKeyOf(integration, call, payload, Date.now());
  await chat.deliveryWriter.write({
    realmId: bot.realmId,
    botId: bot.id,
    integration: integration.name,
    dedupeKey: key,
    earlierKey: earlier,
    stream,
    topic: place.topic ?? null,
    payload: JSON.stringify(payload),
    event,
    notices: JSON.stringify(notices.map((notice) => shortened(notice, place.topic))),
  });
  // If Redis is away, the worker's sweep finds the delivery.
  botInboxes.at(realmTenant(bot.realmId), String(bot.id)).send(chat.jobs, WRITTEN);
  return undefined;
}

const isKeyCheck = ({ keyCheckType }: Integration, type: unknown): boolean =>
  keyCheckType !== undefined && type === keyCheckType;

function countWaiting(backlog: Backlog, most: number): void {
  if (backlog.count >= most) throw tooMuchWaiting(most);
  backlog.count += 1;
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
  chat: Sending & Keyspace,
  bot: User,
  stream: string,
  { isStreamThere }: Inbox,
): Promise<boolean> {
  try {
    // A renamed stream leaves the cache. The check at send time comes too late to notify the owner only once.
    if (!isStreamThere) chat.audiences.delete(bot.realmId, stream);
    await findWritable(chat, bot, stream);
    return true;
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'STREAM_DOES_NOT_EXIST') throw error;
    notifyOwnerOfStream(chat, bot, stream);
    return false;
  }
}

/** Kept for a moment, and read again before that is over, so that a burst does not wait for it. */
async function findInbox(chat: Receiving, bot: User, stream: string | null, most: number): Promise<Inbox> {
  const key = stream === null ? String(bot.id) : `${bot.id}/${stream.toLowerCase()}`;
  const read = () => readInbox(chat, bot, stream, most);
  return chat.inboxes.getRefreshed(key, read) ?? chat.inboxes.get(key, read);
}

/** Counts only now and then: the cap need not be exact, and counting 50,000 rows is work. */
async function readInbox(
  { mysql, secrets, backlogs }: Receiving,
  { id, realmId }: User,
  stream: string | null,
  most: number,
): Promise<Inbox> {
  const now = performance.now();
  const backlog: Backlog = backlogs.get(id) ?? { count: 0, at: -Infinity };
  const isCounted = now - backlog.at < BACKLOG_CHECK_MS;
  if (!isCounted) backlog.at = now;
  const { waiting, ...inbox } = await runRead(
    mysql,
    together({
      signature: signatureRead(secrets, id),
      isStreamThere: stream === null ? known(true) : isNamedRead(realmId, stream),
      waiting: isCounted ? known(undefined) : backlogRead(id, most + 1),
    }),
  );
  if (waiting !== undefined) backlog.count = waiting;
  backlogs.set(id, backlog);
  return { ...inbox, backlog };
}
