/** The driver of the simulated PBX: plain HTTP, whole extensions, the operation as Idempotency-Key. */
import type { Kernel } from '../../../kernel/kernel';
import type { Instance } from '../../model/site';
import { PbxError, type CallContext, type Held, type PbxDriver } from './driver';

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export function simulatedPbx(kernel: Pick<Kernel, 'pause'>, { address, uuid }: Instance): PbxDriver {
  const base = `${address.replace(/\/$/, '')}/instances/${uuid}/extensions`;

  async function call(method: string, path: string, context: CallContext, body?: Held): Promise<Reply> {
    const signal = AbortSignal.timeout(Math.max(1, Math.round(context.deadlineMs)));
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        signal,
        headers: { 'Idempotency-Key': context.key, ...(body ? { 'Content-Type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      // The PBX has done it and we have not written that down: the worst moment to die.
      if (method !== 'GET') await kernel.pause('mid-call');
      return { status: response.status, body: parse(text) };
    } catch (error) {
      throw troubleOf(error, context.deadlineMs);
    }
  }

  const put = async (extension: Held, context: CallContext) => {
    expect2xx(await call('PUT', `/${extension.number}`, context, extension));
  };

  return {
    create: put,
    update: put,
    async delete(number, context) {
      const reply = await call('DELETE', `/${number}`, context);
      if (reply.status !== 404) expect2xx(reply);
    },
    async get(number, context) {
      const reply = await call('GET', `/${number}`, context);
      return reply.status === 404 ? undefined : held(expect2xx(reply));
    },
    async list(context) {
      const body = expect2xx(await call('GET', '', context));
      if (!Array.isArray(body)) throw new PbxError('cut', 'The PBX sent no list');
      return body.map(held);
    },
    async health(context) {
      const began = performance.now();
      const said = await this.list(context).then(
        (list) => ({ isWell: true, detail: `${list.length} extensions` }),
        (error: Error) => ({ isWell: false, detail: error.message }),
      );
      return { ...said, tookMs: Math.round(performance.now() - began) };
    },
  };
}

function expect2xx({ status, body }: Reply): unknown {
  if (status >= 200 && status < 300) return body;
  const said = (body as { error?: unknown } | null)?.error;
  const reason = typeof said === 'string' ? `: ${said.slice(0, 200)}` : '';
  throw new PbxError(status < 500 ? 'refused' : 'error', `The PBX answered ${status}${reason}`);
}

function held(value: unknown): Held {
  const number = Number((value as { number?: unknown } | null)?.number);
  if (!Number.isSafeInteger(number)) throw new PbxError('cut', 'The PBX sent an extension without a number');
  return { ...(value as Held), number };
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch (error) {
    throw new PbxError('cut', 'The PBX sent an answer that makes no sense', error);
  }
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
  if (error instanceof PbxError) return error;
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new PbxError('silent', `The PBX did not answer within ${Math.round(deadlineMs)} ms`, error);
  }
  const code = (error as { cause?: { code?: string } }).cause?.code ?? '';
  return AWAY.has(code)
    ? new PbxError('away', 'The PBX cannot be reached', error)
    : new PbxError('cut', 'The PBX cut the connection', error);
}
