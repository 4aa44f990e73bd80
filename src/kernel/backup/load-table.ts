/** Loads the rows of a backup into one table. */
import type { AloneConnection } from '../mysql/alone';
import type { BackedUpTable } from './manifest';
import { linesOf } from './read-backup';
import { valuesOf } from './rows';
import { listed, quoted } from './table-shape';

export interface Load {
  readonly directory: string;
  readonly name: string;
  readonly table: BackedUpTable;
}

/** Far below servers' packet limits, but large enough that round trips do not matter. */
const MAX_CHARACTERS = 512 * 1024;

export async function loadTable(connection: AloneConnection, { directory, name, table }: Load): Promise<void> {
  const { columns } = table;
  // Rows that a migration inserted are in the backup too, as they were then.
  await connection.query(`DELETE FROM ${quoted(name)}`);
  const insert = `INSERT INTO ${quoted(name)} (${listed(columns.map((column) => column.name))}) VALUES `;
  let [values, size, written] = [[] as string[], 0, 0];

  async function flush(): Promise<void> {
    if (values.length === 0) return;
    const { affectedRows } = (await connection.query(insert + values.join(','))) as { affectedRows: number };
    written += affectedRows;
    [values, size] = [[], 0];
  }

  for await (const line of linesOf(directory, name)) {
    const row = valuesOf(line, columns);
    if (size + row.length > MAX_CHARACTERS) await flush();
    values.push(row);
    size += row.length;
  }
  await flush();
  if (written !== table.rows) throw new Error(`${name} has ${written} rows in place of ${table.rows}`);
}
