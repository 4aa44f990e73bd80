/** Makes one HTTP call to a PBX and classifies its failures. */
import { Agent as HttpAgent, request as http } from 'node:http';
import { Agent as HttpsAgent, request as https } from 'node:https';
import { PbxError, type CallContext, type Health } from './driver';

export interface PbxRequest {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly deadlineMs: number;
  /** The call changes nothing and may be sent twice. Defaults to true for GET. */
  readonly isRead?: boolean;
}

export interface PbxReply {
  readonly status: number;
  readonly text: string;
}

/** Far more than ten thousand extensions need, but small enough to hold in memory. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Connections are reused, because connecting would dominate a call to a nearby PBX. */
const AGENTS = {
  'http:': new HttpAgent({ keepAlive: true, maxFreeSockets: 4 }),
  'https:': new HttpsAgent({ keepAlive: true, maxFreeSockets: 4 }),
};

export async function callPbx(url: string, asked: PbxRequest): Promise<PbxReply> {
  const { isRead = asked.method === 'GET', deadlineMs } = asked;
  const end = performance.now() + deadlineMs;
  try {
    return await exchange(new URL(url), asked).catch((error: unknown) => {
      if (!(error instanceof Stale && isRead)) throw error;
      // Retried on a new connection, because other idle connections may be stale too.
      return exchange(new URL(url), { ...asked, deadlineMs: end - performance.now() }, false);
    });
  } catch (error) {
    throw troubleOf(error, deadlineMs);
  }
}

class Late extends Error {}

/** An idle connection broke. The PBX may have closed it before it saw the call, as after a timeout or restart. */
class Stale extends Error {}

/** Uses node:http, because fetch costs several times the CPU. Redirects are returned like any other answer. */
function exchange(
  url: URL,
  { method, headers = {}, body, deadlineMs }: PbxRequest,
  agent = AGENTS[url.protocol === 'https:' ? 'https:' : 'http:'] as HttpAgent | false,
): Promise<PbxReply> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const call = (isSecure ? https : http)(url, { method, agent, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > MOST_BYTES) call.destroy(new Error('the answer is too long'));
      });
      response.once('end', () => settle(() => resolve(replyOf(response.statusCode, chunks))));
      // A truncated response emits `close` without `end`.
      response.once('close', () => settle(() => reject(new Error('the answer is not whole'))));
    });
    // The deadline covers the whole exchange, however slowly data arrives.
    const timer = setTimeout(() => call.destroy(new Late()), Math.max(1, Math.round(deadlineMs)));
    const settle = (how: () => void) => {
      clearTimeout(timer);
      how();
    };
    call.once('error', (error: NodeJS.ErrnoException) => {
      const isStale = call.reusedSocket && error.code === 'ECONNRESET';
      settle(() => reject(isStale ? new Stale(error.message, { cause: error }) : error));
    });
    call.end(body);
  });
}

const replyOf = (status: number | undefined, chunks: readonly Buffer[]): PbxReply => ({
  status: status ?? 0,
  text: Buffer.concat(chunks).toString('utf8'),
});

export function readJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch (error) {
    throw new PbxError('cut', 'The PBX sent an answer that makes no sense', error);
  }
}

/** Lets several calls share one deadline. */
export function untilDeadline({ key, deadlineMs }: CallContext): () => CallContext {
  const end = performance.now() + deadlineMs;
  return () => {
    const left = end - performance.now();
    if (left <= 0) throw new PbxError('silent', `The PBX did not answer within ${Math.round(deadlineMs)} ms`);
    return { key, deadlineMs: left };
  };
}

/** Once something was changed, a later failure leaves the outcome unknown. */
export function inTheMiddle(error: unknown): unknown {
  if (!(error instanceof PbxError) || error.trouble === 'silent') return error;
  return new PbxError('cut', error.message, error);
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

/** Codes that mean nothing was sent, because no connection was made. */
const AWAY = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']);

function troubleOf(error: unknown, deadlineMs: number): PbxError {
  if (error instanceof Late) {
    return new PbxError('silent', `The PBX did not answer within ${Math.round(deadlineMs)} ms`, error);
  }
  // If a name has several addresses, their failures arrive as one AggregateError.
  const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  const { code = '' } = first as { code?: string };
  return AWAY.has(code)
    ? new PbxError('away', 'The PBX cannot be reached', error)
    : new PbxError('cut', 'The PBX cut the connection', error);
}
