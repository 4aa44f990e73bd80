/** Lists our tables, and the columns of each. */
import { groupBy } from '../group';
import type { AloneConnection } from '../mysql/alone';

export interface Column {
  readonly name: string;
  /** Bytes, not text. */
  readonly isBinary: boolean;
}

export interface TableShape {
  readonly name: string;
  /** Without generated columns. */
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  /** The type and next value of the AUTO_INCREMENT column; null if there is none. */
  readonly numbered: { readonly type: string; readonly nextId: number } | null;
}

interface ColumnRow {
  readonly table_name: string;
  readonly name: string;
  readonly type: string;
  readonly extra: string;
}

const BINARY = new Set(['binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob', 'bit']);

/** MySQL returns these column names in upper case unless they have an alias. */
const COLUMNS = `SELECT c.table_name AS table_name, c.column_name AS name, c.data_type AS type, c.extra AS extra
  FROM information_schema.columns c JOIN information_schema.tables t
    ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.table_type = 'BASE TABLE'
  WHERE c.table_schema = DATABASE() AND c.table_name REGEXP '^(kernel|chat|tel|ops)_'
    AND COALESCE(c.generation_expression, '') = ''
  ORDER BY c.table_name, c.ordinal_position`;
const KEYS = `SELECT table_name AS table_name, column_name AS name FROM information_schema.statistics
  WHERE table_schema = DATABASE() AND index_name = 'PRIMARY' ORDER BY table_name, seq_in_index`;

export async function listTables(connection: AloneConnection): Promise<TableShape[]> {
  const columns = groupBy((await connection.query(COLUMNS)) as ColumnRow[], (row) => row.table_name);
  const keys = groupBy((await connection.query(KEYS)) as ColumnRow[], (row) => row.table_name);
  const shapes: TableShape[] = [];
  for (const [name, own] of columns) {
    const counted = own.find(({ extra }) => /auto_increment/i.test(extra));
    shapes.push({
      name,
      columns: own.map((column) => ({ name: column.name, isBinary: BINARY.has(column.type) })),
      primaryKey: (keys.get(name) ?? []).map((column) => column.name),
      numbered: counted ? { type: counted.type, nextId: await nextId(connection, name) } : null,
    });
  }
  return shapes;
}

/** MySQL's information_schema may be a day out of date. */
async function nextId(connection: AloneConnection, table: string): Promise<number> {
  const [row] = (await connection.query(`SHOW CREATE TABLE ${quoted(table)}`)) as [{ 'Create Table': string }];
  return Number(/ AUTO_INCREMENT=(\d+)/.exec(row['Create Table'])?.[1] ?? 1);
}

export const quoted = (name: string): string => `\`${name}\``;
export const listed = (names: readonly string[]): string => names.map(quoted).join(', ');
