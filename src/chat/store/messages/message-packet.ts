/**
 * Batches the messages that are sent to an organisation on this node. The commit packet of a batch writes ids, rows,
 * flags and events in one round trip and one transaction. A lone sender does not wait; concurrent senders share the cost.
 */
import { Cache } from '../../../kernel/cache/cache';
import type { Kernel } from '../../../kernel/kernel';
import { LOG_PUBLISHER } from '../../../kernel/event-log/log-publisher';
import { openBatchWriter, type BatchWriter } from '../../../kernel/mysql/batch-writer';
import { literal } from '../../../kernel/mysql/literal';
import { encodeBody, type PrefixedEvent } from '../../../kernel/event-log/codec';
import { commitPacket, type PacketReply, type TextPacket } from '../../../kernel/mysql/packet';
import type { Database } from '../../../kernel/mysql/pool';
import type { FlagName, Message, MessageId } from '../../model/messages/message';
import type { OutgoingCall } from '../../model/bots/outgoing-webhook';
import { realmTenant, type RealmId } from '../../model/organisation/realm';
import { submessageBytes } from '../../model/messages/submessage';
import type { UserId } from '../../model/users/user';
import { sideStatements } from './message-side-rows';

export interface NewMessage extends Omit<Message, 'realmId' | 'id' | 'editedAt' | 'edits' | 'submessageBytes'> {
  readonly origin: string | null;
  readonly flags: readonly { readonly userId: UserId; readonly flag: FlagName }[];
  /** Recipients who have muted the sender: for them it is read. */
  readonly mutedBy: readonly UserId[];
  /** Files that it links to. */
  readonly uploadIds: readonly number[];
  /** Whether linked pages need previews. */
  readonly isPreviewed: boolean;
  /** Outgoing webhook bots to call. */
  readonly calls: readonly OutgoingCall[];
  /** Its first submessage, if the content asks for a widget. */
  readonly widget: string | null;
  /** With a placeholder for the id. */
  readonly event: PrefixedEvent;
  /** The stream version that the sender saw. If it has changed, nothing is written. */
  readonly stream: { readonly id: number; readonly version: number } | undefined;
}

type Writing = Pick<Kernel, 'mysql' | 'outbox' | 'pause'>;

/** The stream's audience changed between reading it and writing. The sender must read it again. */
export class StreamChanged extends Error {
  constructor() {
    super('a stream changed while a message was on its way');
    this.name = 'StreamChanged';
  }
}

const COLUMN_CANNOT_BE_NULL = 1048;
const COLUMNS =
  'realm_id, id, recipient_id, topic_id, sender_id, topic, content, rendered, client, traits, sent_at, origin, submessage_bytes';

/** If the counter was not advanced, the first row's id is NULL, which fails the whole packet. */
const FIRST_ID = 'LAST_INSERT_ID(IF(ROW_COUNT() = 1, @record + 1, NULL))';

/** Each tenant needs its counter before the first packet. */
export async function ensureCounter(db: Database, realmId: RealmId): Promise<void> {
  await db('kernel_counters')
    .insert({ tenant: realmTenant(realmId) })
    .onConflict()
    .ignore();
}

export async function writeMessages(
  kernel: Writing,
  realmId: RealmId,
  batch: readonly NewMessage[],
): Promise<MessageId[]> {
  try {
    return await commitPacket(kernel, messagePacket(realmId, batch));
  } catch (error) {
    throw asStreamChanged(error);
  }
}

/** What an error of such a packet means. */
export const asStreamChanged = (error: unknown): unknown =>
  (error as { errno?: number }).errno === COLUMN_CANNOT_BE_NULL ? new StreamChanged() : error;

/** For a tenant that has its counter. */
export function messagePacket(realmId: RealmId, batch: readonly NewMessage[]): TextPacket<MessageId[]> {
  const tenant = realmTenant(realmId);
  const count = batch.length;
  const idOf = (index: number) => (index === 0 ? FIRST_ID : `@record + ${index + 1}`);
  const statements = [
    `UPDATE kernel_counters SET record_number = (@record := record_number) + ${count}, ` +
      `event_number = (@event := LAST_INSERT_ID(event_number)) + ${count} WHERE tenant = ${literal(tenant)}${guardOf(batch)}`,
    // Concatenated, not joined: a join copies the text, and the driver copies it once more.
    batch.reduce(
      (sql, message, index) => `${sql}${index === 0 ? '' : ','}${rowOf(realmId, idOf(index), message)}`,
      `INSERT INTO chat_messages (${COLUMNS}) VALUES `,
    ),
    ...sideStatements(realmId, batch),
  ];
  const body = encodeBody(batch.map(({ event }) => event));
  const outboxAt = statements.length;
  statements.push(
    'INSERT INTO kernel_outbox (publisher, tenant, number, events, first_record, body, created_at) VALUES ' +
      `(${literal(LOG_PUBLISHER)}, ${literal(tenant)}, @event + ${count}, ${count}, @record + 1, ${literal(body)}, NOW(3))`,
  );

  function read(replies: readonly PacketReply[]) {
    // Each reply's `insertId` is the argument of its LAST_INSERT_ID; the last reply's is its own row id.
    const [event, first, id] = [0, 1, outboxAt].map((at) => (replies[at] as { insertId: number }).insertId) as [
      number,
      number,
      number,
    ];
    return {
      value: batch.map((_, index) => (first + index) as MessageId),
      rows: [{ id, publisher: LOG_PUBLISHER, tenant, number: event + count, events: count, first_record: first, body }],
    };
  }
  return { statements, bindings: [], read };
}

/**
 * Share locks hold the streams until the commit, so that the audience cannot change in between. If two senders saw
 * different versions of a stream, it counts as changed.
 */
function guardOf(batch: readonly NewMessage[]): string {
  const streams = new Map<string, { readonly id: number; readonly version: number }>();
  for (const { stream } of batch) if (stream) streams.set(`${stream.id} ${stream.version}`, stream);
  return [...streams.values()]
    .sort((one, other) => one.id - other.id)
    .map(
      ({ id, version }) =>
        ` AND (SELECT version FROM chat_streams WHERE id = ${literal(id)} AND is_active LOCK IN SHARE MODE) = ${literal(version)}`,
    )
    .join('');
}

const rowOf = (realmId: RealmId, id: string, m: NewMessage): string =>
  `(${literal(realmId)},${id},${literal(m.recipientId)},${literal(m.topicId)},${literal(m.senderId)},` +
  `${literal(m.topic)},${literal(m.content)},${literal(m.rendered)},${literal(m.client)},` +
  `${literal(m.traits)},${literal(m.sentAt)},${literal(m.origin)},` +
  `${m.widget === null ? 'NULL' : literal(submessageBytes(m.widget))})`;

export type MessageWriter = BatchWriter<NewMessage, MessageId>;

/** An evicted writer finishes its batch. Its successor may write concurrently, as other nodes do: MySQL assigns ids. */
const BOUNDS = { entries: 10_000, bytes: 4 * 1024 * 1024, ttlMs: 600_000 };

export class MessageWriters {
  readonly #kernel: Writing;
  readonly #writers: Cache<RealmId, MessageWriter>;

  constructor(kernel: Writing, bounds = BOUNDS) {
    this.#kernel = kernel;
    this.#writers = new Cache(bounds);
  }

  get size(): number {
    return this.#writers.size;
  }

  of(realmId: RealmId): MessageWriter {
    let writer = this.#writers.get(realmId);
    if (!writer) this.#writers.set(realmId, (writer = openWriter(this.#kernel, realmId)));
    return writer;
  }
}

function openWriter(kernel: Writing, realmId: RealmId): MessageWriter {
  let hasCounter = false;
  return openBatchWriter({
    weigh: ({ content, rendered, event }) => content.length + rendered.length + event.prefix.length + event.rest.length,
    async write(messages: readonly NewMessage[]) {
      if (!hasCounter) await ensureCounter(kernel.mysql, realmId);
      hasCounter = true;
      return writeMessages(kernel, realmId, messages);
    },
  });
}
