/** One HTTP call to a PBX, and how each way of its going wrong is to be understood. */
import { PbxError, type CallContext, type Health } from './driver';

export interface PbxRequest {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly deadlineMs: number;
}

export interface PbxReply {
  readonly status: number;
  readonly text: string;
}

export async function callPbx(url: string, { deadlineMs, ...request }: PbxRequest): Promise<PbxReply> {
  const signal = AbortSignal.timeout(Math.max(1, Math.round(deadlineMs)));
  try {
    const response = await fetch(url, { ...request, signal });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    throw troubleOf(error, deadlineMs);
  }
}

export function readJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch (error) {
    throw new PbxError('cut', 'The PBX sent an answer that makes no sense', error);
  }
}

/** Several calls that share one deadline. */
export function untilDeadline({ key, deadlineMs }: CallContext): () => CallContext {
  const end = performance.now() + deadlineMs;
  return () => {
    const left = end - performance.now();
    if (left <= 0) throw new PbxError('silent', `The PBX did not answer within ${Math.round(deadlineMs)} ms`);
    return { key, deadlineMs: left };
  };
}

/** After something was done already, no failure means any more that nothing was. */
export function inTheMiddle(error: unknown): unknown {
  if (!(error instanceof PbxError) || error.trouble === 'silent') return error;
  return new PbxError('cut', error.message, error);
}

/** How well a PBX is, by whether it answers this. */
export async function healthBy(ask: () => Promise<string>): Promise<Health> {
  const began = performance.now();
  const said = await ask().then(
    (detail) => ({ isWell: true, detail }),
    (error: Error) => ({ isWell: false, detail: error.message }),
  );
  return { ...said, tookMs: Math.round(performance.now() - began) };
}

/** `user:password`, as the stored credentials of an instance are written. */
export function splitCredentials(credentials: string): [user: string, password: string] {
  const [user = '', ...password] = credentials.split(':');
  return [user, password.join(':')];
}

/** Nothing was sent to an address that nobody answers at. */
const AWAY = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function troubleOf(error: unknown, deadlineMs: number): PbxError {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new PbxError('silent', `The PBX did not answer within ${Math.round(deadlineMs)} ms`, error);
  }
  const code = (error as { cause?: { code?: string } }).cause?.code ?? '';
  return AWAY.has(code)
    ? new PbxError('away', 'The PBX cannot be reached', error)
    : new PbxError('cut', 'The PBX cut the connection', error);
}
