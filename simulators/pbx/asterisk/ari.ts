// An Asterisk as clients of its REST interface see it: push configuration of PJSIP objects, endpoints, modules, ping.
import { behave } from '../behaviour';
import type { Asked, Pbx } from '../behaviour';
import { readObject, Refusal } from '../exchange';
import type { Answer, Exchange } from '../exchange';
import * as objects from './objects';

/** The users of every simulated Asterisk. */
export const USER = { name: 'partyline', password: 'ari-password' } as const;
const READER = { name: 'reader', password: 'ari-reader' } as const;
const CONFIG = '/ari/asterisk/config/dynamic/';
const MODULES = new Set(['res_pjsip.so', 'chan_pjsip.so', 'res_ari_asterisk.so']);

/** Phones that are there right now, by PBX and instance. */
const online = new WeakMap<Pbx, Set<string>>();
const onlineOf = (pbx: Pbx): Set<string> => {
  const known = online.get(pbx) ?? new Set<string>();
  online.set(pbx, known);
  return known;
};

const say = (status: number, message: string): Answer => ({ status, body: { message } });
const FAILURE = say(500, 'Allocation failed');
const UNAUTHORIZED: Answer = {
  ...say(401, 'Authentication required'),
  headers: { 'www-authenticate': 'Basic realm="Asterisk REST Interface"' },
};

export async function callAsterisk(pbx: Pbx, exchange: Exchange, asked: Asked): Promise<Answer | undefined> {
  const { instance, path } = asked;
  const { method = '' } = exchange.request;
  const [, number] = /^\/simulated\/online\/(\d+)$/.exec(path) ?? [];
  if (number !== undefined) return switchPhone(pbx, method, `${instance} ${number}`);
  const may = admits(exchange, asked.query);
  if (may === 'nothing') return UNAUTHORIZED;
  if (may === 'reading' && method !== 'GET') return say(403, 'Write access denied');
  if (path.startsWith(CONFIG)) return callObject(pbx, exchange, asked);
  return callRest(pbx, exchange, asked);
}

function switchPhone(pbx: Pbx, method: string, phone: string): Answer {
  if (method === 'PUT') onlineOf(pbx).add(phone);
  else onlineOf(pbx).delete(phone);
  return { status: 200, body: {} };
}

function admits({ request }: Exchange, query: URLSearchParams): 'nothing' | 'reading' | 'all' {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  const given = basic === undefined ? query.get('api_key') : Buffer.from(basic, 'base64').toString();
  if (given === `${USER.name}:${USER.password}`) return 'all';
  return given === `${READER.name}:${READER.password}` ? 'reading' : 'nothing';
}

async function callRest(pbx: Pbx, exchange: Exchange, { instance, path }: Asked): Promise<Answer | undefined> {
  const { method = '' } = exchange.request;
  const [, module] = /^\/ari\/asterisk\/modules\/([^/]+)$/.exec(path) ?? [];
  const answers: Record<string, () => Answer> = {
    'GET /ari/asterisk/ping': () => ({
      status: 200,
      body: { asterisk_id: '02:42:ac:11:00:02', ping: 'pong', timestamp: new Date().toISOString() },
    }),
    'GET /ari/asterisk/info': () => ({
      status: 200,
      body: {
        system: { entity_id: '02:42:ac:11:00:02', version: '20.9.0' },
        status: { startup_time: '', last_reload_time: '' },
      },
    }),
    'GET /ari/endpoints/PJSIP': () => ({ status: 200, body: endpoints(pbx, instance) }),
    [`PUT /ari/asterisk/modules/${module}`]: () =>
      module !== undefined && MODULES.has(module)
        ? { status: 204, body: undefined }
        : say(404, 'The module could not be found in running modules.'),
  };
  const run = answers[`${method} ${path}`];
  if (!run) throw new Refusal(404, `nothing answers ${method} ${path}`);
  return behave(pbx, exchange, pbx.faults.strike(instance, true), { run, failure: FAILURE });
}

const endpoints = (pbx: Pbx, instance: string): object[] =>
  objects.names(pbx.store, instance, 'endpoint').map((resource) => ({
    technology: 'PJSIP',
    resource,
    state: onlineOf(pbx).has(`${instance} ${resource}`) ? 'online' : 'offline',
    channel_ids: [],
  }));

const tuples = (attributes: objects.Attributes): object[] =>
  Object.entries(attributes).map(([attribute, value]) => ({ attribute, value }));

async function callObject(pbx: Pbx, exchange: Exchange, { instance, path }: Asked): Promise<Answer | undefined> {
  const { method = '' } = exchange.request;
  const [sorcery, type, id] = path.slice(CONFIG.length).split('/').map(decodeURIComponent);
  if (sorcery !== 'res_pjsip') return say(404, `Could not find configuration class '${sorcery}'`);
  if (!objects.isType(type)) {
    const isKnown = ['transport', 'global', 'system'].includes(type ?? '');
    if (isKnown && method !== 'GET') return say(403, `Cannot create/update sorcery objects of type '${type}'`);
    return say(404, `Could not find object type '${type}'`);
  }
  if (!id) return say(404, 'Could not find object');
  const fields = method === 'PUT' ? readFields(await readObject(exchange.request)) : [];
  const fault = pbx.faults.strike(instance, false);
  if (method !== 'GET') {
    const body = { [type]: Object.fromEntries(fields) };
    pbx.log.add({ method, instance, number: id, idempotency_key: null, fault: fault?.mode ?? null, body });
  }
  const run = () => touch(pbx, instance, { method, key: [type, id], fields });
  return behave(pbx, exchange, fault, { run, failure: FAILURE });
}

interface Touch {
  method: string;
  key: readonly [objects.ObjectType, string];
  fields: [string, string][];
}

async function touch({ store }: Pbx, instance: string, { method, key, fields }: Touch): Promise<Answer> {
  const [type, id] = key;
  const missing = say(404, `Could not find object '${id}' of type '${type}'`);
  if (method === 'GET') {
    const found = objects.get(store, instance, key);
    return found ? { status: 200, body: tuples(found) } : missing;
  }
  if (method === 'DELETE') {
    return (await objects.remove(store, instance, key)) ? { status: 204, body: undefined } : missing;
  }
  if (method !== 'PUT') return say(405, 'Invalid method');
  const wrong = objects.wrongAttribute(type, fields);
  if (wrong !== undefined) return say(400, `Could not create/update object: failed field value validation (${wrong})`);
  return { status: 200, body: tuples(await objects.put(store, instance, key, fields)) };
}

function readFields({ fields }: Record<string, unknown>): [string, string][] {
  if (!Array.isArray(fields)) throw new Refusal(400, 'fields must be a list');
  return fields.map((each: unknown) => {
    const { attribute, value } = (each ?? {}) as Record<string, unknown>;
    if (typeof attribute !== 'string' || typeof value !== 'string') throw new Refusal(400, 'attributes are texts');
    return [attribute, value];
  });
}
