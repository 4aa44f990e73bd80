// A FreePBX as its GraphQL clients see it: a token, one address for every call, and HTTP 400 for whatever goes wrong.
import { behave } from '../behaviour';
import type { Asked, Pbx } from '../behaviour';
import { readObject, readText, Refusal } from '../exchange';
import type { Answer, Exchange } from '../exchange';
import { checkInput, openExtensions } from './extensions';
import type { Extensions } from './extensions';
import { readOperation } from './graphql-reader';
import type { Field, Operation } from './graphql-reader';
import { openReloads } from './reloads';
import type { Reloads } from './reloads';
import { show } from './selections';
import { DENIED, openTokens } from './tokens';
import type { Tokens } from './tokens';

interface FreePbx {
  instance: string;
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
    tokens: openTokens(),
    extensions: openExtensions(pbx.store, instance),
    reloads: openReloads(pbx.store, instance),
  };
  known.set(instance, own);
  return own;
}

/** Everything below /freepbx/{uuid}. What begins with /simulated is for those who test, the rest is FreePBX's. */
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
    case 'GET /simulated/live':
      return { status: 200, body: { extensions: own.reloads.live(), reloads: own.reloads.count() } };
    case 'PUT /simulated/reloads': {
      const { takes_ms: takesMs = 50, fails = false } = await readObject(request);
      own.reloads.set({ takesMs: Number(takesMs), fails: fails === true });
      return { status: 200, body: {} };
    }
    default:
      throw new Refusal(path.startsWith('/admin/api/api') ? 405 : 404, `nothing answers ${request.method} ${path}`);
  }
}

const errors = (...messages: string[]): Answer => ({
  status: 400,
  body: { errors: messages.map((message) => ({ message, status: false })) },
});

async function callGraph(pbx: Pbx, exchange: Exchange, own: FreePbx): Promise<Answer | undefined> {
  const { request } = exchange;
  if (!own.tokens.admits(request.headers.authorization)) return DENIED;
  const { query, variables } = await readObject(request);
  let operation: Operation;
  try {
    operation = readOperation(String(query), (variables ?? {}) as Record<string, unknown>);
  } catch (error) {
    return errors((error as Error).message);
  }
  const [field] = operation.fields;
  if (!field) return errors('Syntax Error: Expected Name, found }.');
  return operation.kind === 'query' ? ask(pbx, exchange, { own, field }) : change(pbx, exchange, { own, field });
}

type Chosen = { own: FreePbx; field: Field };

async function ask(pbx: Pbx, exchange: Exchange, { own, field }: Chosen): Promise<Answer | undefined> {
  const fault = pbx.faults.strike(own.instance, field.name !== 'fetchExtension');
  const run = () => answer(field, show(own, field));
  return behave(pbx, exchange, fault, { run, failure: errors('Internal server Error') });
}

const FAILURES: Record<string, string> = {
  addExtension: 'Failed to create extension',
  updateExtension: 'Sorry could not update the extension',
};

async function change(pbx: Pbx, exchange: Exchange, { own, field }: Chosen): Promise<Answer | undefined> {
  const input = (field.args['input'] ?? {}) as Record<string, unknown>;
  const isReload = field.name === 'doreload';
  const wrong = isReload ? undefined : checkInput(field.name, input);
  if (wrong !== undefined) return errors(wrong);
  const fault = pbx.faults.strike(own.instance, isReload);
  pbx.log.add({
    method: field.name,
    instance: own.instance,
    number: isReload ? null : String(input['extensionId']),
    idempotency_key: typeof input['clientMutationId'] === 'string' ? input['clientMutationId'] : null,
    fault: fault?.mode ?? null,
    body: input,
  });
  return behave(pbx, exchange, fault, {
    run: async () => answer(field, isReload ? reload(own) : await mutate(own, field.name, input)),
    failure: errors(FAILURES[field.name] ?? 'Internal server Error'),
    half: () => own.extensions.half(field.name, input),
  });
}

function reload({ reloads }: FreePbx): Record<string, unknown> {
  const message =
    'Doreload/apply config has been initiated. Kindly check the fetchApiStatus api with the transaction id.';
  return { status: true, message, transaction_id: reloads.begin() };
}

async function mutate(own: FreePbx, mutation: string, input: Record<string, unknown>) {
  const outcome = await own.extensions.run(mutation, input);
  if (outcome.status) own.reloads.need();
  return { ...outcome, clientMutationId: input['clientMutationId'] ?? null };
}

/** What was asked for of the value; a status of false, and fields that there are not, become errors. */
function answer(field: Field, value: Record<string, unknown>): Answer {
  if (value['status'] === false) return errors(String(value['message']));
  try {
    return { status: 200, body: { data: { [field.name]: pick(field, value) } } };
  } catch (error) {
    return errors((error as Error).message);
  }
}

function pick(field: Field, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => pick(field, each));
  if (field.selection.length === 0 || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    field.selection.map((inner) => {
      if (!(inner.name in value)) throw new Error(`Cannot query field "${inner.name}" on type "${field.name}".`);
      return [inner.name, pick(inner, (value as Record<string, unknown>)[inner.name])];
    }),
  );
}
