/** Counts rows over its own connection, for data that no API shows. */
import { createConnection } from 'mysql2/promise';

/** The statement selects one number, named `count`. */
export async function countRows(databaseUrl: string, sql: string, values: readonly string[] = []): Promise<number> {
  const rows = await runStatement(databaseUrl, sql, values);
  return (rows as { count: number }[])[0]!.count;
}

export async function runStatement(databaseUrl: string, sql: string, values: readonly string[] = []): Promise<unknown> {
  const connection = await createConnection(databaseUrl);
  try {
    const [result] = await connection.query(sql, [...values]);
    return result;
  } finally {
    await connection.end();
  }
}
