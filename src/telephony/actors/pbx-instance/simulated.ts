/**
 * Driver for the simulated PBX: plain HTTP, whole extensions, the operation's id as Idempotency-Key. It is also the
 * template for new drivers; CONTRIBUTING.md lists what the server relies on.
 */
import type { Pause } from '../../../kernel/pause';
import type { Instance } from '../../model/sites/site';
import { PbxError, type CallContext, type Held, type PbxDriver } from './driver';
import { callPbx, healthBy, readJson } from './pbx-http';
import {
  simulatedArrangements,
  simulatedForwards,
  simulatedPhoneCalls,
  type Ask,
} from '../pbx-arrangements/simulated-arrangements';

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export function simulatedPbx(pause: Pause, { address, uuid }: Instance): PbxDriver {
  const base = `${address.replace(/\/$/, '')}/instances/${uuid}`;

  async function call(method: string, path: string, context: CallContext, body?: object): Promise<Reply> {
    const { status, text } = await callPbx(`${base}${path}`, {
      method,
      deadlineMs: context.deadlineMs,
      headers: { 'Idempotency-Key': context.key, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    // The PBX has made the change but nothing is recorded yet: the worst moment to crash.
    if (method !== 'GET') await pause('mid-call');
    return { status, body: readJson(text) };
  }

  // Create and update are the same here. Where a PBX tells them apart, both must end in the same extension.
  const put = async (extension: Held, context: CallContext) => {
    expect2xx(await call('PUT', `/extensions/${extension.number}`, context, extension));
  };

  const ask: Ask = async (...asked) => {
    const reply = await call(...asked);
    return reply.status === 404 ? undefined : expect2xx(reply);
  };

  return {
    create: put,
    update: put,
    async delete(number, context) {
      const reply = await call('DELETE', `/extensions/${number}`, context);
      // A 404 comes from the PBX itself here. Where a starting web server may also send one, check the message.
      if (reply.status !== 404) expect2xx(reply);
    },
    async get(number, context) {
      const reply = await call('GET', `/extensions/${number}`, context);
      return reply.status === 404 ? undefined : held(expect2xx(reply));
    },
    async list(context) {
      const body = expect2xx(await call('GET', '/extensions', context));
      if (!Array.isArray(body)) throw new PbxError('cut', 'The PBX sent no list');
      return body.map(held);
    },
    arrangements: simulatedArrangements(ask),
    forwards: simulatedForwards(ask),
    phoneCalls: simulatedPhoneCalls(ask),
    health(context) {
      return healthBy(async () => `${(await this.list(context)).length} extensions`);
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
