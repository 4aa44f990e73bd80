/** How much the server looks at. The kernel must have one connection: the server counts by session. */
import type { Kernel } from '../../src/kernel/kernel';

/** Rows that were read for this work, whether they were sent or not. */
export async function rowsRead({ mysql }: Kernel, work: () => Promise<unknown>): Promise<number> {
  await mysql.raw('FLUSH STATUS');
  await work();
  const [rows] = (await mysql.raw("SHOW SESSION STATUS LIKE 'Handler_read%'")) as [{ Value: string }[]];
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
}
