/**
 * One connection to MySQL, in the shape that Knex uses: `query(options, values, callback)`. Every statement has a
 * deadline. At the deadline the socket is cut, because a frozen server reads neither KILL nor QUIT.
 */
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { createConnection, type ConnectionOptions, type QueryOptions, type ResultSetHeader } from 'mysql2';
import { afterDeadline, DeadlineExceeded } from '../deadline';
import { isNotTheWriter } from './outcome';
import { answeredStatements, currentWork } from './round-trips';

type Callback = (error: Error | null, rows?: unknown, fields?: unknown) => void;

export interface StatementOptions extends QueryOptions {
  /** For packets that begin and commit by themselves: a failed statement must not leave an open transaction behind. */
  readonly rollBackOnError?: boolean;
}

export interface MysqlConnection {
  query(options: StatementOptions, values: QueryOptions['values'], callback: Callback): void;
  /** Streams rows as fast as they are read. The reader enforces the deadline. */
  stream(statement: QueryOptions): Readable;
  readonly isOpen: boolean;
  /** When the server last answered, by `performance.now()`. */
  readonly answeredAt: number;
  /** Drops the connection at once, without QUIT. */
  cut(): void;
  /** Sends QUIT, if the server still listens. */
  close(): Promise<void>;
}

export interface ConnectionSettings {
  readonly driver: ConnectionOptions & { readonly host: string; readonly port: number };
  /** Statements that run once, before the connection is used. */
  readonly session: string;
  readonly deadlineMs: number;
  /** Called with the send time of a statement that got no answer in time. */
  readonly onLate: (sentAt: number) => void;
}

const IN_TRANSACTION = 1;

/** By the status that comes with the reply to a statement without rows; of several statements, to the last. */
function saysOutside(answer: unknown): boolean {
  const { serverStatus } = ((Array.isArray(answer) ? answer.at(-1) : answer) ?? {}) as Partial<ResultSetHeader>;
  return typeof serverStatus === 'number' && (serverStatus & IN_TRANSACTION) === 0;
}

export async function openConnection(settings: ConnectionSettings): Promise<MysqlConnection> {
  const { driver: options, deadlineMs, onLate } = settings;
  // Our own socket: the driver's destroy() only half-closes its socket.
  const socket = connect({ host: options.host, port: options.port, noDelay: true, keepAlive: true });
  const driver = createConnection({ ...options, stream: socket });
  const cut = () => void socket.destroy();
  // An error outside a statement is always fatal.
  driver.on('error', cut);
  let answeredAt = performance.now();
  /** The last answer said that no transaction is open. False if it did not say. */
  let isOutside = false;

  function send(statement: QueryOptions, callback: Callback): void {
    const sentAt = performance.now();
    let isOver = false;
    const finish: Callback = (...outcome) => {
      if (isOver) return;
      isOver = true;
      callOff();
      callback(...outcome);
    };
    const callOff = afterDeadline(deadlineMs, () => {
      cut();
      onLate(sentAt);
      finish(new DeadlineExceeded('MySQL', deadlineMs));
    });
    driver.query(statement, (error, rows, fields) => {
      isOutside = !error && saysOutside(rows);
      // The server rolls back a transaction that was open on the connection.
      if (error?.fatal || isNotTheWriter(error)) cut();
      else answeredAt = performance.now();
      finish(error, rows, fields);
    });
  }

  function rollBack(then: () => void): void {
    if (socket.readyState !== 'open') return then();
    send({ sql: 'ROLLBACK' }, (error) => {
      // The server rolls back the transaction of a lost connection.
      if (error) cut();
      then();
    });
  }

  const connection: MysqlConnection = {
    query({ rollBackOnError = false, ...statement }, values, callback) {
      // Knex commits once more what a packet has committed: then there is nothing to send.
      if (isOutside && statement.sql === 'COMMIT;') return callback(null);
      const work = currentWork();
      if (work) work.roundTrips += 1;
      send({ ...statement, values }, (error, rows, fields) => {
        if (work) work.statements += answeredStatements(fields);
        if (error && rollBackOnError) rollBack(() => callback(error));
        else callback(error, rows, fields);
      });
    },
    stream: (statement) => driver.query(statement).stream(),
    get isOpen() {
      return socket.readyState === 'open';
    },
    get answeredAt() {
      return answeredAt;
    },
    cut,
    close: () =>
      new Promise((resolve) => {
        if (socket.readyState !== 'open') return resolve();
        // QUIT is written after the callback. A frozen server would never close its side of the socket.
        driver.end(() => setImmediate(() => resolve(socket.destroySoon())));
      }),
  };

  try {
    await new Promise<void>((resolve, reject) => driver.connect((error) => (error ? reject(error) : resolve())));
    await new Promise<void>((resolve, reject) =>
      send({ sql: settings.session }, (error) => (error ? reject(error) : resolve())),
    );
    return connection;
  } catch (error) {
    cut();
    throw error;
  }
}
