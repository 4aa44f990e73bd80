/** Rows of chat_deliveries, from receipt to message. `failed` rows are dead letters, `dropped` ones were discarded. */
import type { Knex } from 'knex';
import type { MailTable } from '../../../kernel/mailbox/mailbox';
import { type BatchWriter, openLanes } from '../../../kernel/mysql/batch-writer';
import { send } from '../../../kernel/mysql/direct';
import type { Database } from '../../../kernel/mysql/pool';
import { countRows } from '../../../kernel/mysql/sql-parts';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { REALM_MAIL } from '../rows';

export interface NewDelivery {
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

const COLUMNS: Readonly<Record<keyof NewDelivery, string>> = {
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
const FIELDS = Object.keys(COLUMNS) as (keyof NewDelivery)[];

export const deliveryTable: MailTable<NewDelivery, never> = {
  name: 'chat_deliveries',
  address: 'bot_id',
  ...REALM_MAIL,
  read: (row) => Object.fromEntries(FIELDS.map((field) => [field, row[COLUMNS[field]]])) as unknown as NewDelivery,
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

/** One auto-committed statement, hand-written for bursts. Other repeated deliveries change nothing. */
async function insert(db: Knex, delivered: readonly NewDelivery[]): Promise<void> {
  const places = delivered.map(() => "(?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', NOW(3))").join(', ');
  const values = delivered.flatMap((each) => FIELDS.map((field) => each[field]));
  await send(db, `INSERT INTO chat_deliveries (${TAKEN}) VALUES ${places} ON DUPLICATE KEY UPDATE ${REVIVED}`, values);
}

export async function isTaken(db: Knex, botId: UserId, dedupeKey: string): Promise<boolean> {
  const sql = 'SELECT id FROM chat_deliveries WHERE bot_id = ? AND dedupe_key = ? LIMIT 1';
  return ((await send(db, sql, [botId, dedupeKey])) as unknown[]).length > 0;
}

/** Counts the deliveries that wait for a bot, up to the limit. */
export async function backlogOf(db: Knex, botId: UserId, limit: number): Promise<number> {
  const waiting = db('chat_deliveries').where({ bot_id: botId, state: 'pending' }).limit(limit).select('id');
  return countRows(db.from(waiting.as('waiting')));
}

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
  openLanes(
    { write: (deliveries) => insert(db, deliveries), weigh: ({ payload, notices }) => payload.length + notices.length },
    // One lane per bot keeps a bot's messages in the order in which its deliveries arrived.
    ({ botId }) => botId,
  );
