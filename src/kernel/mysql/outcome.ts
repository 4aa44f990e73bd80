/** Classifies MySQL errors: retry, unreachable, full disk, duplicate, or unknown outcome. */
import { DeadlineExceeded } from '../deadline';

interface DriverError {
  readonly errno?: number;
  readonly code?: string;
  readonly name?: string;
  readonly fatal?: boolean;
}

const LOCK_WAIT_TIMEOUT = 1205;
const DEADLOCK = 1213;
const DUPLICATE = 1062;

/** The connection or the server went away, or was never there. */
const GONE = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ER_SERVER_SHUTDOWN',
  'ER_CON_COUNT_ERROR',
]);

/**
 * Error numbers of a server that is not, or no longer, the one to write to. The balancer or the server's name leads to
 * another one, so a connection to this one is useless.
 */
const NOT_THE_WRITER = new Set([
  // Galera: the server is cut off from the cluster, or has not joined it yet.
  1047,
  // Its init_connect failed; in deploy/galera.cnf that waits for the cluster.
  1184,
  // read_only: another server has been promoted.
  1290, 1836,
]);

/**
 * Error numbers of a server whose disk is full: a table cannot grow, or a file cannot be written. The statement has
 * changed nothing, and works again once there is space.
 */
const DISK_FULL = new Set([3, 1021, 1026, 1114]);

/** Galera: the server lost the others during the commit, and cannot tell what became of the transaction. */
const ERROR_DURING_COMMIT = 1180;

const of = (error: unknown): DriverError => (typeof error === 'object' && error !== null ? error : {});

export const isDeadlock = (error: unknown): boolean =>
  of(error).errno === DEADLOCK || of(error).errno === LOCK_WAIT_TIMEOUT;

export const isDuplicate = (error: unknown): boolean => of(error).errno === DUPLICATE;

/** For `catch`: a duplicate key becomes this fault, any other error stays what it is. */
export const ifDuplicate =
  (fault: (cause: unknown) => Error) =>
  (error: unknown): never => {
    throw isDuplicate(error) ? fault(error) : error;
  };

export const isDiskFull = (error: unknown): boolean => DISK_FULL.has(of(error).errno ?? 0);

export const isNotTheWriter = (error: unknown): boolean => NOT_THE_WRITER.has(of(error).errno ?? 0);

export function isUnreachable(error: unknown): boolean {
  const { code, errno, name, fatal } = of(error);
  return (
    error instanceof DeadlineExceeded ||
    name === 'KnexTimeoutError' ||
    fatal === true ||
    GONE.has(code ?? '') ||
    errno === ERROR_DURING_COMMIT ||
    isNotTheWriter(error)
  );
}

/** COMMIT was sent but never answered: the rows may or may not be there. Check before repeating. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('The database did not say whether the change was stored', { cause });
    this.name = 'CommitUnknown';
  }
}
