// Calls that a click begins: PUT rings an extension, GET says whether the call is there, DELETE ends it. Each is subject
// to faults. An extension that the PBX does not hold has no telephone.
import { behave } from './behaviour';
import type { Pbx } from './behaviour';
import { readObject, Refusal } from './exchange';
import type { Answer, Exchange } from './exchange';
import type { Place } from './store';

const FAILURE: Answer = { status: 500, body: { error: 'the PBX failed on purpose' } };
const GONE: Answer = { status: 404, body: { error: 'there is no such call' } };

export async function callPhone(
  pbx: Pbx,
  exchange: Exchange,
  { instance, number: id }: Place,
): Promise<Answer | undefined> {
  const { method = '' } = exchange.request;
  const place = { instance: `${instance}/calls`, number: id };
  const body = method === 'PUT' ? await readObject(exchange.request) : {};
  const runs: Record<string, () => Promise<Answer>> = {
    GET: async () => {
      const entry = pbx.store.get(place);
      return entry ? { status: 200, body: entry.extension } : GONE;
    },
    PUT: async () => {
      const isThere = pbx.store.get({ instance, number: String(body['from']) }) !== undefined;
      if (!isThere) return { status: 409, body: { error: 'the telephone is not registered' } };
      await pbx.store.put(place, { extension: { number: id, ...body }, key: id });
      return { status: 201, body };
    },
    DELETE: async () => ((await pbx.store.remove(place)) ? { status: 200, body: { deleted: true } } : GONE),
  };
  const run = runs[method];
  if (!run) throw new Refusal(405, `${method} is not possible on a call`);
  const isRead = method === 'GET';
  const fault = pbx.faults.strike(instance, false, isRead);
  return behave(pbx, exchange, fault, { run, failure: FAILURE, ...(isRead ? {} : { yes: { status: 201, body } }) });
}
