/** SQL literals, for the few statements that are mostly text: the driver would scan every character of a binding. */
import { format } from 'mysql2';

/**
 * Inside single quotes only these two characters matter. Every connection has a sql_mode in which backslashes escape,
 * and uses utf8mb4, in which no character contains the byte of a quote. JSON, full of double quotes, needs no escaping,
 * so the server has nothing to undo.
 */
export function literal(value: string | number | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  return value.includes("'") || value.includes('\\') ? `'${value.replace(/['\\]/g, '\\$&')}'` : `'${value}'`;
}

type Values = Extract<Parameters<typeof format>[1], readonly unknown[]>;

/** How the driver inserts values into statements. A statement without values is sent unchanged. */
export function formatStatement(sql: string, values: Values | undefined): string {
  if (values === undefined || values.length === 0) return sql;
  // An object in place of a value must not become `key = value` SQL.
  return format(sql, values, true, 'Z');
}
