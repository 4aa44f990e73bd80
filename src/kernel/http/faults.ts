/** Turns anything thrown into a Fault, so that every response has an envelope and no internal text leaks. */
import { DeadlineExceeded } from '../deadline';
import { Fault, type FaultKind } from '../fault';
import type { Log } from '../log';
import { CommitUnknown, isDeadlock, isDiskFull, isUnreachable } from '../mysql/outcome';
import { isRedisAway } from '../redis/away';
import type { ObservedRequest } from './access-log';
import type { WireFormat, Reply } from './wire-format';

const RETRY = { headers: { 'Retry-After': '1' } };

/** The one answer to requests that a node no longer accepts. */
export const shuttingDown = (): Fault =>
  new Fault('unavailable', 'This node is shutting down, and nothing was done; try again', RETRY);

/** Errors of the body parser, by status. */
const BODY_FAULTS: Readonly<Record<number, [FaultKind, string, string]>> = {
  400: ['invalid', 'Malformed body', 'INVALID_JSON'],
  413: ['too-large', 'The request body is too large', 'TOO_LARGE'],
  415: ['unsupported', 'The content encoding is not supported', 'UNSUPPORTED'],
};

export function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof CommitUnknown) return new Fault('unavailable', error.message, { ...RETRY, cause: error });
  if (isPassing(error)) {
    return new Fault('unavailable', 'The server is busy or restarting; try again', { ...RETRY, cause: error });
  }
  const body = BODY_FAULTS[statusOf(error)];
  if (body) {
    const [kind, message, code] = body;
    return new Fault(kind, error instanceof SyntaxError ? 'Malformed JSON' : message, { code, cause: error });
  }
  return new Fault('internal', 'Internal server error', { cause: error });
}

/** Errors of Redis and MySQL that time or an operator removes. */
const isPassing = (error: unknown): boolean =>
  error instanceof DeadlineExceeded ||
  isUnreachable(error) ||
  isRedisAway(error) ||
  isDeadlock(error) ||
  isDiskFull(error);

function statusOf(error: unknown): number {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' ? status : 0;
}

/** The reply to anything thrown. Known errors are answers; unknown errors are also logged as errors. */
// oxlint-disable-next-line max-params -- the log, the wire format, the error and the request
export function replyToFault(
  log: Log,
  wireFormat: WireFormat<unknown>,
  error: unknown,
  { requestId, method, shownPath: path }: Pick<ObservedRequest, 'requestId' | 'method' | 'shownPath'>,
): Reply {
  const fault = faultOf(error);
  if (fault.kind === 'internal') log.error({ requestId, method, path, error }, 'request failed');
  else if (fault.kind === 'unavailable') log.warn({ requestId, method, path, error }, 'request refused');
  const reply = wireFormat.failure(fault);
  return { ...reply, headers: { ...reply.headers, ...fault.headers } };
}
