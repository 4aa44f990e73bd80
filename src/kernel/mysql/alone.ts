/** A connection outside of any pool, for work that needs a session of its own: a snapshot, or the loading of tables. */
import { withDeadline } from '../deadline';
import { openConnection } from './connection';
import { hideValues } from './hide-values';
import { connectionSettings, type MysqlSettings } from './pool';

/** As the server sent it: every value is the bytes of its text, or null. */
export type RawRow = readonly (Buffer | null)[];

export interface AloneConnection {
  /** What the driver answers: rows, or how many were changed. */
  query(sql: string): Promise<unknown>;
  /** Rows one by one; never more of them in memory than a few. */
  rows(sql: string): AsyncGenerator<RawRow, void>;
  close(): Promise<void>;
}

/** `session`: statements that run first. */
export async function openAlone(settings: MysqlSettings, session: string): Promise<AloneConnection> {
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
      // Nobody reads the rest, behind which everything else on this connection would wait for ever.
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
