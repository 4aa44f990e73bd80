/** What a failed MySQL call means: try again, not there, already there, or nobody knows. */
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

/** The connection or the server went away, or never was there. */
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
 * Numbers of errors with which a server says that it is not the one to write to (any more). The balancer, or the name of
 * the server, leads to another one, so a connection to this one is of no further use.
 */
const NOT_THE_WRITER = new Set([
  // Galera: it is cut off from the cluster, or has not yet joined it.
  1047,
  // What it runs for each new connection has failed; in deploy/galera.cnf that waits for the cluster.
  1184,
  // read_only: another server has been promoted.
  1290, 1836,
]);

/** Galera: the server lost the others while it was committing, and cannot say what became of the transaction. */
const ERROR_DURING_COMMIT = 1180;

const of = (error: unknown): DriverError => (typeof error === 'object' && error !== null ? error : {});

export const isDeadlock = (error: unknown): boolean =>
  of(error).errno === DEADLOCK || of(error).errno === LOCK_WAIT_TIMEOUT;

export const isDuplicate = (error: unknown): boolean => of(error).errno === DUPLICATE;

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

/** The COMMIT was sent and its answer never came: the rows may or may not be there. Look before repeating. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('The database did not say whether the change was stored', { cause });
    this.name = 'CommitUnknown';
  }
}
