// The calls on an instance's extensions, each subject to faults: list, read, write and remove. Ring groups, numbers from
// outside and forwards are kept beside them in the same way, each kind as `<instance>/<kind>`.
import { listObjects } from './asterisk/objects';
import { behave } from './behaviour';
import type { Pbx } from './behaviour';
import { readObject, Refusal } from './exchange';
import type { Answer, Exchange } from './exchange';
import type { JsonObject, Place, Store } from './store';

const NUMBER = /^\d{1,15}$/;

const FAILURE: Answer = { status: 500, body: { error: 'the PBX failed on purpose' } };

type Run = () => Answer | Promise<Answer>;

export const BESIDE_EXTENSIONS: readonly string[] = ['ring-groups', 'numbers', 'forwards'];

const instanceOf = (kept: string): string => kept.split('/')[0]!;

export async function listExtensions(pbx: Pbx, exchange: Exchange, instance: string): Promise<Answer | undefined> {
  const run = (): Answer => ({ status: 200, body: [...pbx.store.list(instance), ...listObjects(pbx.store, instance)] });
  return behave(pbx, exchange, pbx.faults.strike(instanceOf(instance), true), { run, failure: FAILURE });
}

export async function callExtension(pbx: Pbx, exchange: Exchange, place: Place): Promise<Answer | undefined> {
  if (!NUMBER.test(place.number)) throw new Refusal(400, 'a number is 1 to 15 digits');
  const { request } = exchange;
  const key = request.headers['idempotency-key']?.toString() ?? null;
  const body = request.method === 'PUT' ? readExtension(await readObject(request), place) : undefined;
  const run = chooseRun(pbx.store, { method: request.method ?? '', place, key, body });

  const fault = pbx.faults.strike(instanceOf(place.instance), false, request.method === 'GET');
  if (request.method !== 'GET') {
    const arrival = { method: request.method ?? '', ...place, idempotency_key: key, fault: fault?.mode ?? null };
    pbx.log.add(body ? { ...arrival, body } : arrival);
  }
  return behave(pbx, exchange, fault, { run, failure: FAILURE, ...yesTo(request.method, body) });
}

function yesTo(method: string | undefined, body: JsonObject | undefined): { yes?: Answer } {
  return method === 'GET' ? {} : { yes: { status: 200, body: body ?? { deleted: true } } };
}

interface Call {
  method: string;
  place: Place;
  key: string | null;
  body: JsonObject | undefined;
}

function chooseRun(store: Store, { method, place, key, body }: Call): Run {
  const missing: Answer = { status: 404, body: { error: `nothing has the number ${place.number} on this instance` } };
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
      return async () => {
        // The next owner of the number has none of its forwards.
        await store.remove({ instance: `${place.instance}/forwards`, number: place.number });
        return (await store.remove(place)) ? { status: 200, body: { deleted: true } } : missing;
      };
    default:
      throw new Refusal(405, `${method} is not possible here`);
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
