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

const of = (error: unknown): DriverError => (typeof error === 'object' && error !== null ? error : {});

export const isDeadlock = (error: unknown): boolean =>
  of(error).errno === DEADLOCK || of(error).errno === LOCK_WAIT_TIMEOUT;

export const isDuplicate = (error: unknown): boolean => of(error).errno === DUPLICATE;

export function isUnreachable(error: unknown): boolean {
  const { code, name, fatal } = of(error);
  return error instanceof DeadlineExceeded || name === 'KnexTimeoutError' || fatal === true || GONE.has(code ?? '');
}

/** The COMMIT was sent and its answer never came: the rows may or may not be there. Look before repeating. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('The database did not say whether the change was stored', { cause });
    this.name = 'CommitUnknown';
  }
}
