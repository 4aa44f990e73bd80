// A simulated Asterisk behind its REST interface: push configuration of PJSIP objects, endpoints, ping.
import { behave } from '../behaviour';
import type { Asked, Pbx } from '../behaviour';
import { readText, reset } from '../exchange';
import type { Answer, Exchange } from '../exchange';
import { conditionOf } from './condition';
import * as objects from './objects';
import { CannotShow, constantAnswer, isType, NeverRecorded, recorded, transports } from './recorded';
import { callSimulated } from './simulated-calls';

/** The users of every simulated Asterisk. */
export const USER = { name: 'partyline', password: 'ari-password' } as const;
const READER = { name: 'reader', password: 'ari-reader' } as const;
const CONFIG = '/ari/asterisk/config/dynamic/res_pjsip/';

const say = (status: number, message: string): Answer => ({ status, body: { message } });
const FAILURE: Answer = { status: 500, body: { error: 'Allocation failed' } };
const UNAUTHORIZED: Answer = {
  ...say(401, 'Authentication required'),
  headers: { 'www-authenticate': 'Basic realm="Asterisk REST Interface"' },
};

/** Answers as recorded. Anything not recorded is refused and remembered, so that a test can fail on it. */
export async function callAsterisk(pbx: Pbx, exchange: Exchange, asked: Asked): Promise<Answer | undefined> {
  try {
    if (asked.path.startsWith('/simulated/')) return await callSimulated(pbx, exchange, asked);
    // Without its module for events, Asterisk has no such resource. Nobody can listen to this one.
    if (asked.path === '/ari/events') return say(404, 'Resource not found');
    return await callAri(pbx, exchange, asked);
  } catch (error) {
    if (error instanceof CannotShow) return FAILURE;
    if (!(error instanceof NeverRecorded)) throw error;
    pbx.unrecorded.push(error.message);
    console.error(`the simulated Asterisk was asked for what was never recorded: ${error.message}`);
    return say(501, `never recorded: ${error.message}`);
  }
}

async function callAri(pbx: Pbx, exchange: Exchange, asked: Asked): Promise<Answer | undefined> {
  const { method = '' } = exchange.request;
  const condition = conditionOf(pbx, asked.instance);
  if (condition.phase === 'down') return cut(exchange);
  if (condition.phase === 'no-ari') return { status: 404, body: undefined, page: recorded.starting.page };
  if (condition.phase === 'not-booted') return { status: 503, body: recorded.starting.notBooted };
  const may = admits(exchange, asked.query);
  if (may === 'nothing') return UNAUTHORIZED;
  if (may === 'reading' && method !== 'GET') return say(403, 'Write access denied');
  const [type, id] = asked.path.startsWith(CONFIG) ? asked.path.slice(CONFIG.length).split('/') : [];
  if (isType(type) && id && ['GET', 'PUT', 'DELETE'].includes(method)) {
    return callObject(pbx, exchange, asked, [type, decodeURIComponent(id)]);
  }
  const run = () => readRest(pbx, method, asked);
  return behave(pbx, exchange, pbx.faults.strike(asked.instance, true), { run, failure: FAILURE });
}

function cut(exchange: Exchange): undefined {
  reset(exchange);
}

function admits({ request }: Exchange, query: URLSearchParams): 'nothing' | 'reading' | 'all' {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  const given = basic === undefined ? query.get('api_key') : Buffer.from(basic, 'base64').toString();
  if (given === `${USER.name}:${USER.password}`) return 'all';
  return given === `${READER.name}:${READER.password}` ? 'reading' : 'nothing';
}

function readRest(pbx: Pbx, method: string, { instance, path, query }: Asked): Answer {
  const { online, listed } = conditionOf(pbx, instance);
  const endpoint = (resource: string) => ({
    technology: 'PJSIP',
    resource,
    state: online.has(resource) ? 'online' : 'offline',
    channel_ids: [],
  });
  if (method === 'GET' && path === '/ari/endpoints/PJSIP') {
    if (!listed) return say(404, 'No Endpoints found - invalid tech PJSIP');
    return { status: 200, body: [...listed].toSorted().map(endpoint) };
  }
  const [, one] = /^\/ari\/endpoints\/PJSIP\/(\d+)$/.exec(path) ?? [];
  if (method === 'GET' && one !== undefined) {
    const isThere = objects.names(pbx.store, instance, 'endpoint').includes(one);
    return isThere ? { status: 200, body: endpoint(one) } : say(404, 'Endpoint not found');
  }
  const [, transport] = /\/res_pjsip\/transport\/([^/]+)$/.exec(path) ?? [];
  if (method === 'GET' && transport !== undefined) return transportAnswer(decodeURIComponent(transport));
  if (path !== '/ari/asterisk/info') return constantAnswer(method, path);
  const answer = constantAnswer(method, `${path}?${decodeURIComponent(query.toString())}`);
  const system = { version: recorded.product.replace('Asterisk ', ''), entity_id: '' };
  return { ...answer, body: { ...(answer.body as object), system } };
}

function transportAnswer(name: string): Answer {
  const found = transports.get(name);
  return found ? { status: 200, body: tuples(found) } : say(404, `Object with id '${name}' not found`);
}

const tuples = (attributes: Record<string, string>): object[] =>
  Object.entries(attributes).map(([attribute, value]) => ({ attribute, value }));

async function callObject(
  pbx: Pbx,
  exchange: Exchange,
  { instance }: Asked,
  key: objects.Key,
): Promise<Answer | undefined> {
  const { method = '' } = exchange.request;
  const fields = method === 'PUT' ? readFields(await readText(exchange.request)) : [];
  if (fields === 'deadly') {
    conditionOf(pbx, instance).phase = 'down';
    return cut(exchange);
  }
  const fault = pbx.faults.strike(instance, false, method === 'GET');
  if (method !== 'GET') {
    const body = { [key[0]]: Array.isArray(fields) ? Object.fromEntries(fields) : fields };
    pbx.log.add({ method, instance, number: key[1], idempotency_key: null, fault: fault?.mode ?? null, body });
  }
  const run = () => touch(pbx, instance, { method, key, fields });
  return behave(pbx, exchange, fault, { run, failure: FAILURE, ...yesTo(method, fields) });
}

function yesTo(method: string, fields: Touch['fields']): { yes?: Answer } {
  if (method === 'GET') return {};
  const shown = Array.isArray(fields) ? tuples(Object.fromEntries(fields)) : [];
  return { yes: method === 'PUT' ? { status: 200, body: shown } : { status: 204, body: undefined } };
}

interface Touch {
  method: string;
  key: objects.Key;
  fields: Exclude<ReturnType<typeof readFields>, 'deadly'>;
}

async function touch(pbx: Pbx, instance: string, { method, key, fields }: Touch): Promise<Answer> {
  const [type, id] = key;
  if (method === 'PUT') return write(pbx, instance, key, fields);
  const missing = say(404, `Object with id '${id}' not found`);
  if (method === 'GET') {
    const found = objects.get(pbx.store, instance, key);
    return found ? { status: 200, body: tuples(found) } : missing;
  }
  if (!(await objects.remove(pbx.store, instance, key))) return missing;
  const condition = conditionOf(pbx, instance);
  if (type === 'endpoint') condition.listed?.delete(id);
  // Removing the aor ends the registration.
  if (type === 'aor') condition.online.delete(id);
  return { status: 204, body: undefined };
}

async function write(pbx: Pbx, instance: string, key: objects.Key, fields: Touch['fields']): Promise<Answer> {
  const [type, id] = key;
  const before = objects.get(pbx.store, instance, key);
  if (fields === 'unreadable') return say(400, 'Error parsing request body');
  if (fields === 'none' && before) return say(400, `Fields must be provided to update object '${id}'`);
  const after = objects.changed(before, type, fields === 'none' ? [] : fields);
  if (!after) return say(400, `${before ? 'Update' : 'Creation'} of object '${id}' failed field value validation`);
  await objects.keep(pbx.store, instance, key, after);
  const condition = conditionOf(pbx, instance);
  if (type === 'endpoint') condition.listed = new Set([...(condition.listed ?? []), id]);
  return { status: 200, body: tuples(after) };
}

/** `deadly`: Asterisk treats every value as a string and crashes on others. */
function readFields(text: string): [string, string][] | 'unreadable' | 'none' | 'deadly' {
  let body: { fields?: unknown };
  try {
    body = text === '' ? {} : (JSON.parse(text) as typeof body);
  } catch {
    return 'unreadable';
  }
  if (body.fields === undefined) return 'none';
  if (!Array.isArray(body.fields)) return [];
  const read = body.fields.map((each: unknown) => {
    const { attribute, value } = (each ?? {}) as Record<string, unknown>;
    return [attribute, value];
  });
  return read.every((pair) => pair.every((part) => typeof part === 'string')) ? (read as [string, string][]) : 'deadly';
}
