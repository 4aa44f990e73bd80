/** Makes one HTTP call to a PBX and classifies its failures. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import {
  exchangeHttp,
  isUnreachable,
  Late,
  Stale,
  type HttpCall,
  type HttpReply,
} from '../../../kernel/outbound/http-exchange';
import { PbxError, type CallContext, type Health } from './driver';

export interface PbxRequest extends HttpCall {
  /** The call changes nothing and may be sent twice. Defaults to true for GET. */
  readonly isRead?: boolean;
}

/** Far more than ten thousand extensions need, but small enough to hold in memory. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Connections are reused, because connecting would dominate a call to a nearby PBX. */
const AGENTS = {
  'http:': new HttpAgent({ keepAlive: true, maxFreeSockets: 4 }),
  'https:': new HttpsAgent({ keepAlive: true, maxFreeSockets: 4 }),
};

export async function callPbx(url: string, asked: PbxRequest): Promise<HttpReply> {
  const { isRead = asked.method === 'GET', deadlineMs } = asked;
  const end = performance.now() + deadlineMs;
  const to = new URL(url);
  const agent = AGENTS[to.protocol === 'https:' ? 'https:' : 'http:'];
  try {
    return await exchangeHttp(to, asked, { agent, maxBytes: MAX_BYTES }).catch((error: unknown) => {
      if (!(error instanceof Stale && isRead)) throw error;
      // Retried on a new connection, because other idle connections may be stale too.
      const left = { ...asked, deadlineMs: end - performance.now() };
      return exchangeHttp(to, left, { agent: false, maxBytes: MAX_BYTES });
    });
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

/** Lets several calls share one deadline. */
export function untilDeadline({ deadlineMs, ...rest }: CallContext): () => CallContext {
  const end = performance.now() + deadlineMs;
  return () => {
    const left = end - performance.now();
    if (left <= 0) throw new PbxError('silent', `The PBX did not answer within ${Math.round(deadlineMs)} ms`);
    return { ...rest, deadlineMs: left };
  };
}

/** How many deadlines a list may take: a large PBX answers in many pages, but one without end must not go on for ever. */
const DEADLINES_OF_A_LIST = 12;

/** The deadlines of a list: every page has the given one, and all pages together share several. */
export function pageDeadlines({ key, deadlineMs }: CallContext): () => CallContext {
  const step = untilDeadline({ key, deadlineMs: deadlineMs * DEADLINES_OF_A_LIST });
  return () => ({ key, deadlineMs: Math.min(deadlineMs, step().deadlineMs) });
}

/** Once something was changed, a later failure leaves the outcome unknown. */
export function inTheMiddle(error: unknown): unknown {
  if (!(error instanceof PbxError) || error.trouble === 'silent') return error;
  return new PbxError('cut', error.message, error);
}

/** For failures after a change: `.catch(throwInTheMiddle)`. */
export function throwInTheMiddle(error: unknown): never {
  throw inTheMiddle(error);
}

/** Reports a PBX as healthy if this call succeeds. */
export async function healthBy(ask: () => Promise<string>): Promise<Health> {
  const began = performance.now();
  const said = await ask().then(
    (detail) => ({ isWell: true, detail }),
    (error: Error) => ({ isWell: false, detail: error.message }),
  );
  return { ...said, tookMs: Math.round(performance.now() - began) };
}

/** Splits an instance's stored credentials, written as `user:password`. */
export function splitCredentials(credentials: string): [user: string, password: string] {
  const [user = '', ...password] = credentials.split(':');
  return [user, password.join(':')];
}

function troubleOf(error: unknown, deadlineMs: number): PbxError {
  if (error instanceof Late) {
    return new PbxError('silent', `The PBX did not answer within ${Math.round(deadlineMs)} ms`, error);
  }
  return isUnreachable(error)
    ? new PbxError('away', 'The PBX cannot be reached', error)
    : new PbxError('cut', 'The PBX cut the connection', error);
}
