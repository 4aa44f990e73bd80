// The calls on an instance's extensions, each run through the faults: list, read, write and remove.
import { setTimeout as sleep } from 'node:timers/promises';
import { readObject, Refusal, reset, sendGarbage } from './exchange';
import type { Answer, Exchange } from './exchange';
import type { Fault, Faults } from './faults';
import type { RequestLog } from './request-log';
import type { JsonObject, Place, Store } from './store';

const NUMBER = /^\d{1,15}$/;

export interface Pbx {
  store: Store;
  faults: Faults;
  log: RequestLog;
  /** Aborted when the process stops, so that no delay holds it up. */
  stopping: AbortSignal;
}

type Work = () => Answer | Promise<Answer>;

export async function listExtensions(pbx: Pbx, exchange: Exchange, instance: string): Promise<Answer | undefined> {
  const work = (): Answer => ({ status: 200, body: pbx.store.list(instance) });
  return behave(pbx, exchange, pbx.faults.strike(instance, true), work);
}

export async function callExtension(pbx: Pbx, exchange: Exchange, place: Place): Promise<Answer | undefined> {
  if (!NUMBER.test(place.number)) throw new Refusal(400, 'an extension number is 1 to 15 digits');
  const { request } = exchange;
  const key = request.headers['idempotency-key']?.toString() ?? null;
  const body = request.method === 'PUT' ? readExtension(await readObject(request), place) : undefined;
  const work = chooseWork(pbx.store, { method: request.method ?? '', place, key, body });

  const fault = pbx.faults.strike(place.instance, false);
  if (request.method !== 'GET') {
    const arrival = { method: request.method ?? '', ...place, idempotency_key: key, fault: fault?.mode ?? null };
    pbx.log.add(body ? { ...arrival, body } : arrival);
  }
  return behave(pbx, exchange, fault, work);
}

interface Call {
  method: string;
  place: Place;
  key: string | null;
  body: JsonObject | undefined;
}

function chooseWork(store: Store, { method, place, key, body }: Call): Work {
  const missing: Answer = { status: 404, body: { error: `no extension ${place.number} on this instance` } };
  switch (method) {
    case 'GET':
      return () => {
        const entry = store.get(place);
        return entry ? { status: 200, body: entry.extension, headers: keyHeader(entry.key) } : missing;
      };
    case 'PUT': {
      const extension = body ?? {};
      return async () => {
        const outcome = await store.put(place, { extension, key });
        return { status: outcome === 'created' ? 201 : 200, body: extension, headers: keyHeader(key) };
      };
    }
    case 'DELETE':
      return async () => ((await store.remove(place)) ? { status: 200, body: { deleted: true } } : missing);
    default:
      throw new Refusal(405, `${method} is not possible on an extension`);
  }
}

function readExtension(body: JsonObject, { number }: Place): JsonObject {
  const own = body['number'] ?? number;
  if (own !== number && own !== Number(number))
    throw new Refusal(400, 'number in the body differs from the one in the path');
  return { ...body, number: own };
}

function keyHeader(key: string | null): Record<string, string> {
  return key === null ? {} : { 'idempotency-key': key };
}

/** Runs the work as the fault allows; undefined means that no answer is to be sent. */
async function behave(pbx: Pbx, exchange: Exchange, fault: Fault | undefined, work: Work): Promise<Answer | undefined> {
  if (!fault) return work();
  const isStillWanted = await delay(fault, exchange, pbx.stopping);
  if (!isStillWanted) return undefined;
  switch (fault.mode) {
    case 'ok':
    case 'slow':
      return work();
    case 'error':
      return { status: 500, body: { error: 'the PBX failed on purpose' } };
    case 'hang':
      return undefined;
    case 'garbage':
      sendGarbage(exchange);
      return undefined;
    case 'reset':
      reset(exchange);
      return undefined;
    case 'drop-after-apply':
      await work();
      reset(exchange);
      return undefined;
  }
}

async function delay(fault: Fault, { response }: Exchange, stopping: AbortSignal): Promise<boolean> {
  if (fault.delay_ms === 0) return true;
  const gone = new AbortController();
  response.once('close', () => {
    if (!fault.late) gone.abort();
  });
  return sleep(fault.delay_ms, true, { signal: AbortSignal.any([gone.signal, stopping]) }).catch(() => false);
}
