/** The number of rows that the server reads. The kernel must have one connection: the server counts by session. */
import type { Kernel } from '../../../src/kernel/kernel';

/** Rows that were read for this work, whether they were sent or not. */
export async function rowsRead({ mysql }: Kernel, work: () => Promise<unknown>): Promise<number> {
  await mysql.raw('FLUSH STATUS');
  await work();
  const [rows] = (await mysql.raw("SHOW SESSION STATUS LIKE 'Handler_read%'")) as [{ Value: string }[]];
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
}

/** Has the server analyse these tables and keep the statistics, as it does in production by itself. */
export async function keepStatistics({ mysql }: Kernel, tables: readonly string[]): Promise<void> {
  const kept = tables.map(() => 'ALTER TABLE ?? STATS_PERSISTENT = 1');
  const analysed = `ANALYZE TABLE ${tables.map(() => '??').join(', ')}`;
  await mysql.raw([...kept, analysed].join('; '), [...tables, ...tables]);
}
