// The simulated PBX as an HTTP server: routes each request to its call and sends the answer.
import { setMaxListeners } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { collection } from './asterisk/objects';
import { TYPES } from './asterisk/recorded';
import type { Pbx } from './behaviour';
import { readObject, Refusal, send } from './exchange';
import type { Answer, Exchange } from './exchange';
import { BESIDE_EXTENSIONS, callExtension, listExtensions } from './extension-calls';
import { openFaults, readFault } from './faults';
import { callPhone } from './phone-calls';
import { openRequestLog } from './request-log';
import { openStore } from './store';
import { VENDORS } from './vendors';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const STOP_GRACE_MS = 500;
const KEPT_MS = 75_000;

export interface PbxServer {
  url: string;
  extensions: number;
  close(): Promise<void>;
}

export interface PbxOptions {
  host: string;
  port: number;
  /** The store's folder. Only one process at a time may use it. */
  folder: string;
}

export async function startPbx({ host, port, folder }: PbxOptions): Promise<PbxServer> {
  // Long, so that a slow client does not find its idle connection closed under its next request.
  const server = http.createServer({ keepAliveTimeout: KEPT_MS });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const stop = new AbortController();
  // Every delayed call adds a listener: many listeners are no leak.
  setMaxListeners(0, stop.signal);
  // Opened after the port is bound: a second simulator must not rewrite the journal under the first.
  const pbx: Pbx = {
    store: openStore(folder),
    faults: openFaults(),
    log: openRequestLog(),
    struck: 0,
    stopping: stop.signal,
    unrecorded: [],
  };
  server.on('request', (request, response) => void serve(pbx, { request, response }));

  const address = server.address() as AddressInfo;
  const printed = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${printed}:${address.port}`,
    extensions: pbx.store.count(),
    close: async () => {
      stop.abort();
      const deadline = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS);
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(deadline);
      await pbx.store.close();
    },
  };
}

async function serve(pbx: Pbx, exchange: Exchange): Promise<void> {
  try {
    const answer = await route(pbx, exchange);
    if (answer) send(exchange, answer);
  } catch (error) {
    send(exchange, refuse(error as Error));
  }
}

type PlainCall = (pbx: Pbx, exchange: Exchange, query: URLSearchParams) => Answer | Promise<Answer>;

const CALLS = new Map<string, PlainCall>([
  ['GET /healthz', (pbx) => ({ status: 200, body: { status: 'ok', extensions: pbx.store.count() } })],
  ['GET /requests', (pbx, _, query) => ({ status: 200, body: pbx.log.list(query.get('instance')) })],
  ['GET /unrecorded', (pbx) => ({ status: 200, body: pbx.unrecorded })],
  ['GET /struck', (pbx) => ({ status: 200, body: { calls: pbx.struck } })],
  ['GET /faults', (pbx) => ({ status: 200, body: pbx.faults.all() })],
  ['PUT /faults', setFault],
]);

const VENDOR_CALLS = new Map(Object.values(VENDORS).map(({ folder, call }) => [folder, call]));

async function route(pbx: Pbx, exchange: Exchange): Promise<Answer | undefined> {
  const { method, url = '/' } = exchange.request;
  const [path = '/', query] = url.split('?');
  const [area, instance, kind, number, ...rest] = path.split('/').slice(1);
  if (area === 'instances' && instance !== undefined && rest.length === 0) {
    if (!isUuid(instance)) throw new Refusal(400, 'an instance is named by its uuid');
    return routeInstance(pbx, exchange, [instance.toLowerCase(), kind, number]);
  }
  const wireFormat = VENDOR_CALLS.get(area ?? '');
  if (wireFormat && isUuid(instance ?? '')) {
    const below = path.slice(`/${area}/${instance}`.length);
    return wireFormat(pbx, exchange, {
      instance: instance!.toLowerCase(),
      path: below,
      query: new URLSearchParams(query),
    });
  }
  const call = CALLS.get(`${method} ${path}`);
  if (!call) throw new Refusal(404, `nothing answers ${method} ${path}`);
  return call(pbx, exchange, new URLSearchParams(query));
}

type InstancePath = readonly [instance: string, kind: string | undefined, number: string | undefined];

async function routeInstance(pbx: Pbx, exchange: Exchange, path: InstancePath): Promise<Answer | undefined> {
  const [instance, kind, number] = path;
  const { method } = exchange.request;
  if (kind === undefined && method === 'DELETE') return emptyInstance(pbx, exchange, instance);
  if (kind === undefined) throw new Refusal(405, 'no such call on an instance');
  if (kind === 'calls' && number !== undefined) return callPhone(pbx, exchange, { instance, number });
  return callKept(pbx, exchange, { instance: keptAs(instance, kind), number });
}

function keptAs(instance: string, kind: string): string {
  if (kind === 'extensions') return instance;
  if (BESIDE_EXTENSIONS.includes(kind)) return `${instance}/${kind}`;
  throw new Refusal(404, 'no such call on an instance');
}

async function callKept(
  pbx: Pbx,
  exchange: Exchange,
  { instance, number }: { instance: string; number: string | undefined },
): Promise<Answer | undefined> {
  if (number !== undefined) return callExtension(pbx, exchange, { instance, number });
  if (exchange.request.method === 'GET') return listExtensions(pbx, exchange, instance);
  throw new Refusal(405, 'no such call on an instance');
}

async function emptyInstance(pbx: Pbx, { request }: Exchange, instance: string): Promise<Answer> {
  const key = request.headers['idempotency-key']?.toString() ?? null;
  pbx.log.add({ method: 'DELETE', instance, number: null, idempotency_key: key, fault: null });
  let deleted = await pbx.store.empty(instance);
  for (const type of TYPES) deleted += await pbx.store.empty(collection(instance, type));
  for (const kind of BESIDE_EXTENSIONS) deleted += await pbx.store.empty(`${instance}/${kind}`);
  return { status: 200, body: { deleted } };
}

async function setFault(pbx: Pbx, { request }: Exchange): Promise<Answer> {
  const fault = readFault(await readObject(request), isUuid);
  if (typeof fault === 'string') throw new Refusal(400, fault);
  pbx.faults.set(fault);
  return { status: 200, body: fault };
}

function isUuid(text: string): boolean {
  return UUID.test(text);
}

function refuse(error: Error): Answer {
  if (error instanceof Refusal) return { status: error.status, body: { error: error.message } };
  if (error instanceof RangeError) return { status: 400, body: { error: 'the body is nested too deeply' } };
  return { status: 500, body: { error: `the PBX could not keep the change: ${error.message}` } };
}
