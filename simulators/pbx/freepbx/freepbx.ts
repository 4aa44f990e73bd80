// A simulated FreePBX 16 behind GraphQL, from exchanges recorded on a live one. Anything not recorded fails.
import { behave } from '../behaviour';
import type { Asked, Pbx } from '../behaviour';
import { readObject, readText, Refusal } from '../exchange';
import type { Answer, Exchange } from '../exchange';
import { checked, Said } from './checks';
import { openExtensions, SAYS } from './extensions';
import type { Extensions, Outcome } from './extensions';
import { changeFollowMe } from './follow-me';
import { readOperation } from './graphql-reader';
import type { Field, Operation } from './graphql-reader';
import { changeRoutes, inboundRoutesOf } from './inbound-routes';
import { NeverRecorded } from './never-recorded';
import { show, shownUser } from './queries';
import { openReloads } from './reloads';
import type { Reloads } from './reloads';
import { changeRingGroups, ringGroupsOf } from './ring-groups';
import { openTokens } from './tokens';
import type { Tokens } from './tokens';

interface FreePbx {
  instance: string;
  store: Pbx['store'];
  /** The fields of the API that modules would have which are not installed. */
  lacks?: RegExp;
  tokens: Tokens;
  extensions: Extensions;
  reloads: Reloads;
}

const opened = new WeakMap<Pbx, Map<string, FreePbx>>();

function freePbx(pbx: Pbx, instance: string): FreePbx {
  const known = opened.get(pbx) ?? new Map<string, FreePbx>();
  opened.set(pbx, known);
  const own = known.get(instance) ?? {
    instance,
    store: pbx.store,
    tokens: openTokens(),
    extensions: openExtensions(pbx.store, instance),
    reloads: openReloads(pbx.store, instance),
  };
  known.set(instance, own);
  return own;
}

/** Handles everything below /freepbx/{uuid}. Paths under /simulated are test controls; the rest is FreePBX's. */
export async function callFreePbx(
  pbx: Pbx,
  exchange: Exchange,
  { instance, path }: Asked,
): Promise<Answer | undefined> {
  const own = freePbx(pbx, instance);
  const { request } = exchange;
  switch (`${request.method} ${path}`) {
    case 'POST /admin/api/api/token': {
      const form = new URLSearchParams(await readText(request));
      const run = () => own.tokens.grant(form);
      return behave(pbx, exchange, pbx.faults.strike(instance, true), { run, failure: errors('Internal error') });
    }
    case 'POST /admin/api/api/gql':
      return callGraph(pbx, exchange, own);
    case 'DELETE /simulated/tokens':
      own.tokens.forget();
      return { status: 200, body: {} };
    case 'PUT /simulated/modules': {
      const given = await readObject(request);
      const left = Object.entries(MODULES).filter(([name]) => given[name] === false);
      own.lacks = new RegExp(left.map(([, fields]) => fields).join('|') || '^$');
      return { status: 200, body: {} };
    }
    case 'GET /simulated/live':
      return { status: 200, body: own.reloads.seen() };
    case 'PUT /simulated/reloads': {
      const { takes_ms: takesMs = 50, fails = false, says } = await readObject(request);
      const manner = { takesMs: Number(takesMs), fails: fails === true };
      own.reloads.set(typeof says === 'string' ? { ...manner, says } : manner);
      return { status: 200, body: {} };
    }
    default:
      throw new Refusal(path.startsWith('/admin/api/api') ? 405 : 404, `nothing answers ${request.method} ${path}`);
  }
}

/** The fields that a module brings. */
const MODULES: Readonly<Record<string, string>> = { ringgroups: 'RingGroup', findmefollow: 'FollowMe' };

const errors = (...messages: string[]): Answer => ({
  status: 400,
  body: { errors: messages.map((message) => ({ message, status: false })) },
});

async function callGraph(pbx: Pbx, exchange: Exchange, own: FreePbx): Promise<Answer | undefined> {
  const { request } = exchange;
  const refused = own.tokens.refusal(request.headers.authorization);
  if (refused) return refused;
  const { query, variables } = await readObject(request).catch((error: Refusal) => {
    throw error.status === 400 ? new Refusal(500, 'Slim Application Error') : error;
  });
  if (typeof query !== 'string') throw new Refusal(400, 'query must be a text');
  if (query === '')
    return errors('GraphQL Request must include at least one of those two parameters: "query" or "queryId"');
  let operation: Operation;
  let field: Field;
  try {
    operation = readOperation(query);
    field = checked(operation, (variables ?? {}) as Record<string, unknown>, own.lacks);
  } catch (error) {
    return errors((error as Error).message);
  }
  return operation.kind === 'query' ? ask(pbx, exchange, { own, field }) : change(pbx, exchange, { own, field });
}

const OF_ONE = new Set(['fetchExtension', 'fetchVoiceMail', 'fetchFollowMe', 'fetchRingGroup', 'inboundRoute']);

type Chosen = { own: FreePbx; field: Field };

async function ask(pbx: Pbx, exchange: Exchange, { own, field }: Chosen): Promise<Answer | undefined> {
  const isOne = OF_ONE.has(field.name);
  const fault = pbx.faults.strike(own.instance, !isOne, true);
  const run = () => answer(pbx, field, () => show(own, field));
  return behave(pbx, exchange, fault, { run, failure: errors('Internal server error') });
}

const FAILURES: Record<string, string> = {
  addExtension: 'Failed to create extension',
  updateExtension: 'Sorry could not update the extension',
};

async function change(pbx: Pbx, exchange: Exchange, { own, field }: Chosen): Promise<Answer | undefined> {
  const input = (field.args['input'] ?? {}) as Record<string, unknown>;
  const isReload = field.name === 'doreload';
  const fault = pbx.faults.strike(own.instance, isReload);
  const key = input['clientMutationId'] ?? null;
  pbx.log.add({
    method: field.name,
    instance: own.instance,
    number: isReload ? null : numberIn(input),
    idempotency_key: typeof key === 'string' ? key : null,
    fault: fault?.mode ?? null,
    body: input,
  });
  const yes = { status: true, message: SAYS[field.name] ?? '', clientMutationId: key, coreuser: shownUser({}) };
  return behave(pbx, exchange, fault, {
    run: () => answer(pbx, field, () => (isReload ? reload(own) : mutate(own, field.name, input))),
    failure: errors(FAILURES[field.name] ?? 'Internal server error'),
    ...(isReload ? {} : { yes: { status: 200, body: { data: { [field.name]: pick(field, yes) } } } }),
    half: () => half(own, field.name, input),
  });
}

/** That of an inbound route is followed by a slash and the number of its caller. */
const numberIn = (input: Record<string, unknown>): string =>
  String(input['extensionId'] ?? input['groupNumber'] ?? input['extension'] ?? input['id']).replace(/\/$/, '');

/** Updates of ring groups and inbound routes delete first. */
async function half(own: FreePbx, mutation: string, input: Record<string, unknown>): Promise<void> {
  const place = { updateRingGroup: ringGroupsOf, updateInboundRoute: inboundRoutesOf }[mutation];
  if (!place) return own.extensions.half(mutation, input);
  await own.store.remove({ instance: place(own.instance), number: numberIn(input) });
}

function runChange(own: FreePbx, mutation: string, input: Record<string, unknown>): Promise<Outcome> {
  if (mutation === 'updateFollowMe') return changeFollowMe(own.store, own.instance, input);
  if (mutation.endsWith('RingGroup')) return changeRingGroups(own.store, own.instance, { mutation, input });
  if (mutation.endsWith('InboundRoute')) return changeRoutes(own.store, own.instance, { mutation, input });
  return own.extensions.run(mutation, input);
}

function reload({ reloads }: FreePbx): Record<string, unknown> {
  const message =
    'Doreload/apply config has been initiated. Please check the status using fetchApiStatus api with the returned transaction id';
  return { status: true, message, transaction_id: reloads.begin() };
}

async function mutate(own: FreePbx, mutation: string, input: Record<string, unknown>) {
  const outcome = await runChange(own, mutation, input);
  if (outcome.status) own.reloads.need();
  const clientMutationId = outcome.status ? (input['clientMutationId'] ?? null) : null;
  const held = own.extensions.get(String(input['extension']));
  return { ...outcome, clientMutationId, coreuser: held ? shownUser(held) : null };
}

type Value = Record<string, unknown>;

/** Selects the requested fields of the value. A status of false becomes an error. */
async function answer(pbx: Pbx, field: Field, work: () => Value | Promise<Value>): Promise<Answer> {
  try {
    const value = await work();
    // Of inbound routes, a refusal is no error (read in source).
    if (value['status'] === false && !field.name.endsWith('InboundRoute')) return errors(String(value['message']));
    return { status: 200, body: { data: { [field.name]: pick(field, value) } } };
  } catch (error) {
    if (error instanceof Said) return errors(error.message);
    if (!(error instanceof NeverRecorded)) throw error;
    pbx.unrecorded.push(error.message);
    console.error(`pbx simulator, FreePBX: ${error.message}`);
    return { status: 501, body: { error: error.message } };
  }
}

function pick(field: Field, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => pick(field, each));
  if (field.selection.length === 0 || typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(
    field.selection.map((inner) => {
      if (!(inner.name in value)) throw new NeverRecorded(`the value of ${field.name}.${inner.name}`);
      return [inner.name, pick(inner, (value as Record<string, unknown>)[inner.name])];
    }),
  );
}
