/** Rows of chat_deliveries, from receipt to message. `failed` rows are dead letters, `dropped` ones were discarded. */
import type { Knex } from 'knex';
import type { MailTable } from '../../../kernel/mailbox/mailbox';
import { openBatchWriter, type BatchWriter } from '../../../kernel/mysql/batch-writer';
import { literal } from '../../../kernel/mysql/literal';
import { runRepeatable } from '../../../kernel/mysql/packet';
import type { Database } from '../../../kernel/mysql/pool';
import { readOf, type Read } from '../../../kernel/mysql/read-packet';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { REALM_MAIL } from '../rows';

export interface Delivery {
  readonly realmId: RealmId;
  readonly botId: UserId;
  readonly integration: string;
  readonly dedupeKey: string;
  readonly stream: string | null;
  readonly topic: string | null;
  /** What the service sent and its event type, for operators. */
  readonly payload: string;
  readonly event: string;
  /** The messages that the integration made of it, as JSON. */
  readonly notices: string;
}

export interface NewDelivery extends Delivery {
  /** Another key under which it may be stored already. */
  readonly earlierKey?: string | undefined;
}

const COLUMNS: Readonly<Record<keyof Delivery, string>> = {
  realmId: 'realm_id',
  botId: 'bot_id',
  integration: 'integration',
  dedupeKey: 'dedupe_key',
  stream: 'stream',
  topic: 'topic',
  payload: 'payload',
  event: 'event',
  notices: 'notices',
};
const FIELDS = Object.keys(COLUMNS) as (keyof Delivery)[];

export const deliveryTable: MailTable<Delivery, never> = {
  name: 'chat_deliveries',
  address: 'bot_id',
  ...REALM_MAIL,
  read: (row) => Object.fromEntries(FIELDS.map((field) => [field, row[COLUMNS[field]]])) as unknown as Delivery,
};

const TAKEN = [...Object.values(COLUMNS), 'state', 'created_at'].join(', ');

/** A dead letter that is delivered again becomes pending. The state comes last, because the other columns test it. */
const REVIVED = [
  ...Object.entries({
    attempts: '0',
    error: 'NULL',
    notice: 'NULL',
    notified_at: 'NULL',
    finished_at: 'NULL',
    due_at: 'NOW(3)',
  }).map(([column, anew]) => `${column} = IF(state = 'failed', ${anew}, ${column})`),
  "state = IF(state = 'failed', 'pending', state)",
].join(', ');

/** Writes deliveries in one round trip. Those that are stored already, under either of their keys, change nothing. */
async function insert(db: Database, delivered: readonly NewDelivery[]): Promise<void> {
  const known: string[] = [];
  const rows = delivered.map((delivery) => {
    const { botId, dedupeKey, earlierKey } = delivery;
    let key = literal(dedupeKey);
    if (earlierKey !== undefined) {
      const found = `SELECT dedupe_key FROM chat_deliveries WHERE dedupe_key = ${literal(earlierKey)} AND bot_id = ${literal(botId)}`;
      key = `COALESCE(@earlier_${known.length}, ${key})`;
      known.push(`@earlier_${known.length} = (${found})`);
    }
    const values = FIELDS.map((field) => (field === 'dedupeKey' ? key : literal(delivery[field])));
    return `(${values.join(',')},'pending',NOW(3))`;
  });
  await runRepeatable(db, [
    ...(known.length === 0 ? [] : [`SET ${known.join(', ')}`]),
    `INSERT INTO chat_deliveries (${TAKEN}) VALUES ${rows.join(',')} ON DUPLICATE KEY UPDATE ${REVIVED}`,
  ]);
}

/** Counts the deliveries that wait for a bot, up to the limit. */
export const backlogRead = (botId: UserId, limit: number): Read<number> =>
  readOf(
    "SELECT COUNT(*) AS count FROM (SELECT id FROM chat_deliveries WHERE bot_id = ? AND state = 'pending' LIMIT ?) AS waiting",
    [botId, limit],
    ([row]: readonly { readonly count: number }[]) => row!.count,
  );

/** The column that links deliveries to their messages, in the statement that ends them all. */
export const linksTo = (db: Knex, messages: ReadonlyMap<number, number>): { readonly message_id?: Knex.Raw } =>
  messages.size === 0
    ? {}
    : {
        message_id: db.raw(
          `CASE id ${[...messages].map(() => 'WHEN ? THEN ?').join(' ')} ELSE message_id END`,
          [...messages].flat(),
        ),
      };

export type DeliveryWriter = BatchWriter<NewDelivery>;

/** Batches concurrent webhook deliveries on this node into shared inserts. */
export const openDeliveryWriter = (db: Database): DeliveryWriter =>
  openBatchWriter({
    write: (deliveries) => insert(db, deliveries),
    weigh: ({ payload, notices }) => payload.length + notices.length,
  });
