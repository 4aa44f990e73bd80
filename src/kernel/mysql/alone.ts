/** A connection outside any pool, for work that needs its own session: a snapshot, or loading tables. */
import { withDeadline } from '../deadline';
import { openConnection } from './connection';
import { hideValues } from './hide-values';
import { connectionSettings, type MysqlSettings } from './pool';

/** Raw values: the bytes of each value's text, or null. */
export type RawRow = readonly (Buffer | null)[];

export interface AloneConnection {
  /** The driver's result: rows, or how many were changed. */
  query(sql: string): Promise<unknown>;
  /** Streams rows; only a few are in memory at a time. */
  rows(sql: string): AsyncGenerator<RawRow, void>;
  close(): Promise<void>;
}

/** Runs work on a connection of its own. `session`: statements that run first. */
export async function withAlone<T>(
  settings: MysqlSettings,
  session: string,
  work: (connection: AloneConnection) => Promise<T>,
): Promise<T> {
  const connection = await openAlone(settings, session);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

async function openAlone(settings: MysqlSettings, session: string): Promise<AloneConnection> {
  const deadlineMs = settings.mysqlDeadlineMs;
  const connection = await openConnection(connectionSettings(settings, () => {}));

  const query = (sql: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      connection.query({ sql }, undefined, (error, answer) => {
        if (!error) return resolve(answer);
        hideValues(error);
        reject(error);
      });
    });

  async function* rows(sql: string): AsyncGenerator<RawRow, void> {
    const stream = connection.stream({ sql, rowsAsArray: true, typeCast: false });
    const iterator = stream[Symbol.asyncIterator]() as AsyncIterator<RawRow, void>;
    let next: IteratorResult<RawRow, void> | undefined;
    try {
      for (;;) {
        next = await withDeadline('MySQL', deadlineMs, iterator.next());
        if (next.done === true) return;
        yield next.value;
      }
    } catch (error) {
      hideValues(error);
      throw error;
    } finally {
      // Nobody reads the rest, and everything else on this connection would wait behind it for ever.
      if (next?.done !== true) {
        connection.cut();
        stream.destroy();
      }
    }
  }

  try {
    await query(session);
  } catch (error) {
    connection.cut();
    throw error;
  }
  return { query, rows, close: () => connection.close() };
}
