/** Converts work that the previous release kept in its own rows into mail, for mailboxes that replaced such work. */
import type { Knex } from 'knex';

/** The result of an INSERT in raw SQL. */
interface Inserted {
  readonly affectedRows: number;
}

export interface Left {
  /** The waiting rows, without columns. */
  rows(db: Knex): Knex.QueryBuilder;
  /** The columns that identify a row. */
  readonly keys: readonly string[];
  /** Columns of mail, in SQL. */
  readonly mail: Readonly<Record<'tenant' | 'address' | 'body' | 'due_at' | 'created_at', string>> &
    Readonly<Partial<Record<'attempts' | 'reason', string>>>;
  /** Marks the rows as converted and returns how many still waited. Missing if `rows` omits those that have mail. */
  leave?(db: Knex, keys: readonly unknown[][]): Promise<number>;
}

const MOST_AT_ONCE = 500;

/** A second process that converts the same rows changes nothing. Returns how many rows it found. */
export async function adoptRows(db: Knex, mailbox: string, left: Left): Promise<number> {
  const { keys, mail } = left;
  const found = (await left
    .rows(db)
    .limit(MOST_AT_ONCE)
    .select(Object.fromEntries(keys.map((key, place) => [`key${place}`, key])))) as Record<string, unknown>[];
  if (found.length === 0) return 0;
  const values = found.map((row) => keys.map((_, place) => row[`key${place}`]));
  await db.transaction(async (trx) => {
    const columns = Object.values(mail).map((sql) => trx.raw(sql));
    const rows = left
      .rows(trx)
      .whereIn(keys, values as Knex.Value[][])
      .select(trx.raw('?', [mailbox]), trx.raw("'pending'"), ...columns);
    const into = `INSERT INTO kernel_mail (mailbox, state, ${Object.keys(mail).join(', ')}) ?`;
    const [{ affectedRows }] = (await trx.raw(into, [rows])) as [Inserted];
    if (left.leave && (await left.leave(trx, values)) !== affectedRows) {
      throw new Error(`another process adopts the work of ${mailbox}`);
    }
  });
  return found.length;
}

/** Only rows that have no mail. `address`: SQL for a row's mail address. */
export const withoutMail = (rows: Knex.QueryBuilder, db: Knex, mailbox: string, address: string): Knex.QueryBuilder =>
  rows.whereNotExists(
    db('kernel_mail as m').where('m.mailbox', mailbox).where('m.address', db.raw(address)).select(db.raw('1')),
  );
