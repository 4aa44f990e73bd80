/** Values as literals of SQL, for the few statements that are mostly text: the driver looks at every letter of theirs. */
import { format } from 'mysql2';

/**
 * Between single quotes only these two mean anything: every connection has a sql_mode in which backslashes escape, and
 * utf8mb4, in which no letter holds the byte of a quote. JSON, full of double quotes, stays as it is, and so the server
 * need not undo anything.
 */
export function literal(value: string | number | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  return value.includes("'") || value.includes('\\') ? `'${value.replace(/['\\]/g, '\\$&')}'` : `'${value}'`;
}

type Values = Extract<Parameters<typeof format>[1], readonly unknown[]>;

/** How the driver puts values into statements. One without values is sent as it stands: the text in it is its own. */
export function formatStatement(sql: string, values: Values | undefined): string {
  if (values === undefined || values.length === 0) return sql;
  // An object where a value belongs must not become `key = value` SQL.
  return format(sql, values, true, 'Z');
}
