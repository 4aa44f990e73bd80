/** Knex's MySQL dialect with two ways of our own: a deadline on every statement, and connections that are handed on. */
import MysqlDialect from 'knex/lib/dialects/mysql2/index.js';
import { afterDeadline, DeadlineExceeded } from '../deadline';

type Connection = Parameters<MysqlDialect['_query']>[0];

/** A connection that nobody has wanted for so long goes back to the pool, which closes it in its own time. */
const KEPT_MS = 1000;

export function ourDialect(deadlineMs: number): typeof MysqlDialect {
  /**
   * Given back while nobody waited. The pool makes two timers and a dozen promises to hand a connection over; one of
   * these is the next one's at once. How many there are, and who is next in line, the pool decides as before.
   */
  const spare: Connection[] = [];
  let fewestSpare = 0;
  let returning: NodeJS.Timeout | undefined;
  /** When each connection last had an answer. */
  const answeredAt = new WeakMap<Connection, number>();
  /**
   * A statement had no answer in time, and this is the middle of that time. Connections that are silent since before
   * are doubtful: if the server's machine is gone, nobody tells us that they are dead, and each would cost another
   * deadline.
   */
  let doubtedSince = -Infinity;

  return class OurDialect extends MysqlDialect {
    override async acquireConnection(): Promise<Connection> {
      for (let connection = spare.pop(); connection; connection = spare.pop()) {
        fewestSpare = Math.min(fewestSpare, spare.length);
        if (isUsable(this, connection)) return connection;
        // The pool finds it broken, too, and closes it.
        await super.releaseConnection(connection);
      }
      return super.acquireConnection();
    }

    override async releaseConnection(connection: Connection): Promise<void> {
      const isWanted = !this.pool || this.pool.destroyed || this.pool.numPendingAcquires() > 0;
      if (isWanted || !isUsable(this, connection)) return super.releaseConnection(connection);
      spare.push(connection);
      returning ??= setInterval(() => this.returnUnused(), KEPT_MS).unref();
    }

    /** So many were there all the time, so nobody needed them. */
    returnUnused(count = fewestSpare): void {
      for (const connection of spare.splice(0, count)) void super.releaseConnection(connection);
      fewestSpare = spare.length;
      if (fewestSpare > 0) return;
      clearInterval(returning);
      returning = undefined;
    }

    override async destroy(done?: (error?: unknown) => void): Promise<void> {
      this.returnUnused(spare.length);
      return super.destroy(done);
    }

    /** The handshake is an answer, too: some connections are made and then not wanted for long. */
    override async acquireRawConnection(): Promise<Connection> {
      const connection = await super.acquireRawConnection();
      answeredAt.set(connection, performance.now());
      return connection;
    }

    override validateConnection(connection: Connection): boolean {
      if ((answeredAt.get(connection) ?? Infinity) < doubtedSince) {
        connection.__knex__disposed = new DeadlineExceeded('MySQL', deadlineMs);
        return false;
      }
      return super.validateConnection(connection);
    }

    /** A connection we dropped does not say goodbye; waiting for it would hold up the drain. */
    override async destroyRawConnection(connection: Connection): Promise<unknown> {
      return connection.__knex__disposed ? connection.destroy() : super.destroyRawConnection(connection);
    }

    /** Knex's own timeout asks the server to stop, which a frozen server does not hear. We drop the connection instead. */
    override _query(connection: Connection, query: { sql?: string }): Promise<unknown> {
      const sentAt = performance.now();
      return new Promise((resolve, reject) => {
        const callOff = afterDeadline(deadlineMs, () => {
          const error = new DeadlineExceeded('MySQL', deadlineMs);
          connection.__knex__disposed = error;
          doubtedSince = sentAt + deadlineMs / 2;
          connection.destroy();
          // The driver's destroy() only says goodbye, and a frozen server does not hear that either.
          connection.stream.destroy();
          reject(error);
        });
        super
          ._query(connection, query)
          .then((answer) => {
            answeredAt.set(connection, performance.now());
            resolve(answer);
          }, reject)
          .finally(callOff);
      });
    }
  };
}

const isUsable = (dialect: MysqlDialect, connection: Connection): boolean =>
  connection.__knex__disposed === undefined && dialect.validateConnection(connection);
