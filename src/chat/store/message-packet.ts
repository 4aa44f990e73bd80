/** The commit packet of messages: numbers, rows, flags and events of a whole batch in one round trip, all or nothing. */
import type { Kernel } from '../../kernel/kernel';
import { LOG_CARRIER } from '../../kernel/event-log/log-carrier';
import { BETWEEN_EVENTS, withRecord } from '../../kernel/mysql/outbox-rows';
import { commitPacket, type Packet, type PacketReply } from '../../kernel/mysql/packet';
import { FLAGS, type FlagName, type MessageId } from '../model/message';
import { realmTenant, type RealmId } from '../model/realm';
import type { UserId } from '../model/user';

export interface NewMessage {
  readonly recipientId: number;
  readonly topicId: number | null;
  readonly senderId: UserId;
  readonly topic: string;
  readonly content: string;
  readonly rendered: string;
  readonly client: string;
  readonly traits: number;
  readonly sentAt: number;
  readonly origin: string | null;
  readonly flags: readonly { readonly userId: UserId; readonly flag: FlagName }[];
  /** Files that it links. */
  readonly uploadIds: readonly number[];
  /** With a gap for its id. */
  readonly event: string;
  /** The stream as the sender knew it; should it have changed, nothing is written. */
  readonly stream?: { readonly id: number; readonly version: number };
}

/** The stream's audience changed between reading it and writing: look again. */
export class StreamChanged extends Error {
  constructor() {
    super('a stream changed while a message was on its way');
    this.name = 'StreamChanged';
  }
}

const COLUMN_CANNOT_BE_NULL = 1048;
const COLUMNS =
  'realm_id, id, recipient_id, topic_id, sender_id, topic, content, rendered, client, traits, sent_at, origin';

/** Each tenant needs its counter before the first packet. */
export async function ensureCounter(kernel: Kernel, realmId: RealmId): Promise<void> {
  await kernel
    .mysql('kernel_counters')
    .insert({ tenant: realmTenant(realmId) })
    .onConflict()
    .ignore();
}

export async function writeMessages(
  kernel: Kernel,
  realmId: RealmId,
  batch: readonly NewMessage[],
): Promise<MessageId[]> {
  try {
    return await commitPacket(kernel, packetOf(realmId, batch));
  } catch (error) {
    if ((error as { errno?: number }).errno === COLUMN_CANNOT_BE_NULL) throw new StreamChanged();
    throw error;
  }
}

function packetOf(realmId: RealmId, batch: readonly NewMessage[]): Packet<MessageId[]> {
  const tenant = realmTenant(realmId);
  const count = batch.length;
  const statements: string[] = [];
  const bindings: unknown[] = [];
  const add = (sql: string, ...values: unknown[]) => {
    statements.push(sql);
    bindings.push(...values);
  };

  // Held in share mode until the commit: nobody joins or leaves between the list of hearers and the message.
  // A stream that two senders knew differently is a changed one.
  const known = batch.flatMap(({ stream }) => (stream ? [stream] : []));
  const streams = [...new Map(known.map((stream) => [`${stream.id} ${stream.version}`, stream])).values()];
  streams.sort((one, other) => one.id - other.id);
  const isSame = ' AND (SELECT version FROM chat_streams WHERE id = ? AND is_active LOCK IN SHARE MODE) = ?';
  add(
    `UPDATE kernel_counters SET record_number = (@record := record_number) + ${count}, ` +
      `event_number = (@event := event_number) + ${count} ` +
      `WHERE tenant = ?${isSame.repeat(streams.length)}`,
    tenant,
    ...streams.flatMap(({ id, version }) => [id, version]),
  );
  // Where no number was taken the first row has no id and is refused, and with it everything else.
  const ids = batch.map((_, index) =>
    index === 0 ? 'IF(ROW_COUNT() = 1, @record + 1, NULL)' : `@record + ${index + 1}`,
  );
  const places = ids.map((id) => `(?, ${id}, ${'?, '.repeat(9)}?)`).join(', ');
  add(
    `INSERT INTO chat_messages (${COLUMNS}) VALUES ${places}`,
    ...batch.flatMap((m) => [
      realmId,
      m.recipientId,
      m.topicId,
      m.senderId,
      m.topic,
      m.content,
      m.rendered,
      m.client,
      m.traits,
      m.sentAt,
      m.origin,
    ]),
  );
  const flags = batch.flatMap((message, index) => message.flags.map((each) => ({ ...each, index })));
  if (flags.length > 0) {
    const rows = flags.map(({ index }) => `(?, ?, @record + ${index + 1})`).join(', ');
    add(
      `INSERT INTO chat_flags (user_id, flag, message_id) VALUES ${rows}`,
      ...flags.flatMap((each) => [each.userId, FLAGS[each.flag]]),
    );
  }
  const links = batch.flatMap(({ uploadIds }, index) => uploadIds.map((uploadId) => ({ uploadId, index })));
  if (links.length > 0) {
    const rows = links.map(({ index }) => `(?, ?, @record + ${index + 1})`).join(', ');
    add(
      `INSERT INTO chat_upload_links (upload_id, realm_id, message_id) VALUES ${rows}`,
      ...links.flatMap(({ uploadId }) => [uploadId, realmId]),
    );
  }
  add(
    'INSERT INTO kernel_outbox (carrier, tenant, number, events, first_record, body, created_at) ' +
      `VALUES (?, ?, @event + ${count}, ${count}, @record + 1, ?, NOW(3))`,
    LOG_CARRIER,
    tenant,
    batch.map(({ event }) => event).join(BETWEEN_EVENTS),
  );
  const outboxAt = statements.length - 1;
  add('SELECT @record AS record, @event AS event');

  function read(replies: readonly PacketReply[]) {
    const { insertId: id } = replies[outboxAt] as { insertId: number };
    const [{ record, event }] = replies[outboxAt + 1] as unknown as [{ record: number; event: number }];
    return {
      value: batch.map((_, index) => (record + index + 1) as MessageId),
      rows: batch.map((message, index) => ({
        id,
        carrier: LOG_CARRIER,
        tenant,
        number: event + index + 1,
        body: withRecord(message.event, record + index + 1),
      })),
    };
  }
  return { statements, bindings, read };
}
