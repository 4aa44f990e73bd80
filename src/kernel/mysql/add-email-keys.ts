/** For migrations: adds a column that email addresses are compared by, unique per owner. */
import type { Knex } from 'knex';
import { emailKey, LONGEST_EMAIL } from '../email-key';

export interface EmailColumns {
  readonly table: string;
  /** The column of the owner: one owner's addresses must differ from each other. */
  readonly owner: string;
  readonly email: string;
  readonly key: string;
}

type Row = Readonly<Record<string, string | number>>;
const BATCH = 1000;

/** Merges nothing: if two addresses would become equal, it names them and stops before it changes anything. */
export async function addEmailKeys(db: Knex, columns: EmailColumns): Promise<void> {
  const { table, owner, email, key } = columns;
  await checkKeys(db, columns);
  if (!(await db.schema.hasColumn(table, key))) {
    // Nullable: the previous release adds rows without a key while it still runs.
    await db.schema.alterTable(table, (change) => {
      change.string(key, LONGEST_EMAIL).collate('utf8mb4_bin').nullable();
    });
  }
  for await (const rows of batches(db, columns)) {
    const cases = rows.map(() => 'WHEN ? THEN ?').join(' ');
    const values = rows.flatMap((row) => [row['id']!, emailKey(String(row[email]))]);
    const ids = rows.map((row) => row['id']!);
    await db.raw(`UPDATE ?? SET ?? = CASE id ${cases} END WHERE id IN (${ids.map(() => '?').join(', ')})`, [
      table,
      key,
      ...values,
      ...ids,
    ]);
  }
  await db.schema.alterTable(table, (change) => {
    change.unique([owner, key]);
    // For the previous release, which looks addresses up by it.
    change.index([owner, email], `${table}_${email}_index`);
  });
  await db.schema.alterTable(table, (change) => change.dropUnique([owner, email]));
}

export async function removeEmailKeys(db: Knex, { table, owner, email, key }: EmailColumns): Promise<void> {
  await db.schema.alterTable(table, (change) => change.unique([owner, email]));
  await db.schema.alterTable(table, (change) => {
    change.dropIndex([owner, email], `${table}_${email}_index`);
    change.dropUnique([owner, key]);
    change.dropColumn(key);
  });
}

async function checkKeys(db: Knex, columns: EmailColumns): Promise<void> {
  const { table, owner, email } = columns;
  const first = new Map<string, Row>();
  const mistakes: string[] = [];
  for await (const rows of batches(db, columns)) {
    for (const row of rows) {
      const key = emailKey(String(row[email]));
      const before = first.get(`${row[owner]} ${key}`);
      if (key.length > LONGEST_EMAIL) mistakes.push(`${nameOf(row, columns)} is too long`);
      else if (before) mistakes.push(`${nameOf(before, columns)} and ${nameOf(row, columns)}`);
      else first.set(`${row[owner]} ${key}`, row);
    }
  }
  if (mistakes.length === 0) return;
  throw new Error(
    `These rows of ${table} would have the same address, and nothing was changed. ` +
      `Give one of each another address in the column ${email}, then migrate again:\n  ${mistakes.join('\n  ')}`,
  );
}

const nameOf = (row: Row, { owner, email }: EmailColumns): string =>
  `${JSON.stringify(row[email])} (id ${row['id']}, ${owner} ${row[owner]})`;

async function* batches(db: Knex, { table, owner, email }: EmailColumns): AsyncGenerator<Row[]> {
  for (let after: string | number = ''; ;) {
    const query = db(table).orderBy('id').limit(BATCH).select('id', owner, email);
    const rows = (await (after === '' ? query : query.where('id', '>', after))) as Row[];
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)!['id']!;
  }
}
