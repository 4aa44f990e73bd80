/** Removes values from MySQL's errors: they belong to users, and errors go into logs, dead letters and consoles. */

/** As the driver and knex make it: the statement with its values, and MySQL's message, which quotes values too. */
interface StatementError extends Error {
  code?: string;
  errno?: number;
  sql?: string;
  sqlMessage?: string | undefined;
  bindings?: unknown;
}

/** MySQL messages that contain a name from our schema. Only the name is kept. */
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/ for column (?:`[\w$]+`\.)*[`']?([\w$]+)[`']? at row \d+$/, 'column'],
  [/ for key '([\w.$]+)'$/, 'key'],
  [/^Unknown column '([\w.$]+)' in '[\w ]+'$/, 'column'],
  [/^Table '([\w.$-]+)' doesn't exist$/, 'table'],
];

function describe({ code = 'ER_UNKNOWN', errno, sqlMessage = '' }: StatementError): string {
  for (const [pattern, what] of NAMED) {
    const name = pattern.exec(sqlMessage)?.[1];
    if (name !== undefined) return `MySQL refused a statement: ${code} (${errno}), ${what} ${name}`;
  }
  return `MySQL refused a statement: ${code} (${errno})`;
}

/** Knex's message is the statement, a dash and the driver's message. */
const afterStatement = (message: string): string => message.slice(message.lastIndexOf(' - ') + 1).replace(/^- /, '');

/** Changes the error in place, because it may already be the cause of others. */
export function hideValues(error: unknown): void {
  if (!(error instanceof Error)) return;
  const failed = error as StatementError;
  const trace = failed.stack ?? '';
  // The trace begins with the original message, which may look like a trace itself.
  const made = failed.sqlMessage ?? failed.message;
  const frames = trace.slice(trace.includes(made) ? trace.lastIndexOf(made) + made.length : 0);
  failed.message = failed.sqlMessage === undefined ? afterStatement(failed.message) : describe(failed);
  delete failed.sql;
  delete failed.sqlMessage;
  delete failed.bindings;
  failed.stack = [
    `${failed.name}: ${failed.message}`,
    ...frames.split('\n').filter((line) => /^ {4}at /.test(line)),
  ].join('\n');
}
