/** Requests generated from the OpenAPI document with hostile values everywhere, the same for the same seed. */
import type { Answer, Ask, TestClient } from '../support/http/client';
import { HOSTILE_TEXTS, HOSTILE_VALUES } from './hostile-values';
import type { RouteOfDocument, Schema } from '../access/routes';

/** A small generator (mulberry32): a finding can be reproduced by its seed. */
export function dice(seed: number): <T>(values: readonly T[]) => T {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return (values) => values[Math.floor(next() * values.length)]!;
}

type Pick = ReturnType<typeof dice>;

export interface Fuzzed {
  readonly route: string;
  readonly path: string;
  readonly ask: Ask;
}

/** Path parameters with known ids get those as often as hostile texts. */
export function fuzzed(route: RouteOfDocument, pick: Pick, known: Readonly<Record<string, string>>): Fuzzed {
  const { method, operation } = route;
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodePart(pick([known[name] ?? '1', pick(HOSTILE_TEXTS)])),
  );
  const query = Object.fromEntries(
    (operation.parameters ?? [])
      .filter((each) => each.in === 'query' && pick([true, false]))
      .map(({ name }) => [name, wellFormed(pick([known[name] ?? '1', pick(HOSTILE_TEXTS)]))]),
  );
  return { route: route.name, path, ask: { method, query, ...bodyOf(route, pick, known) } };
}

function bodyOf({ method, operation }: RouteOfDocument, pick: Pick, known: Readonly<Record<string, string>>): Ask {
  if (method === 'GET' || !operation.requestBody) return {};
  const [content] = Object.entries(operation.requestBody.content);
  const [type, { schema }] = content ?? ['', { schema: {} as Schema }];
  const names = Object.keys(schema.properties ?? {});
  const chosen = names.filter(() => pick([true, true, false]));
  if (type === 'application/json') {
    const whole = Object.fromEntries(chosen.map((name) => [name, pick([known[name] ?? 'x', pick(HOSTILE_VALUES)])]));
    return { json: pick([whole, whole, whole, pick(HOSTILE_VALUES)]) ?? {} };
  }
  return { form: Object.fromEntries(chosen.map((name) => [name, pick([known[name] ?? '1', pick(HOSTILE_TEXTS)])])) };
}

/** Text that no URL can hold is sent as the bytes that a careless client would send. */
function encodePart(text: string): string {
  return /\p{Surrogate}/u.test(text) ? '%ED%A0%80' : encodeURIComponent(text.slice(0, 1000));
}

const wellFormed = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, '\uFFFD').slice(0, 1000);

export interface Finding {
  readonly fuzzed: Fuzzed;
  readonly answer: Answer;
}

/** Sends it; the response is a finding unless a client could understand it. */
export async function tryOne(
  client: TestClient,
  headers: Record<string, string>,
  each: Fuzzed,
): Promise<Finding | null> {
  const answer = await client.call(each.path, { ...each.ask, headers });
  return isSound(each, answer) ? null : { fuzzed: each, answer };
}

function isSound({ path }: Fuzzed, { status, text, body, headers }: Answer): boolean {
  if (status >= 500 || headers.get('x-injected') !== null) return false;
  if (/SELECT |INSERT |UPDATE `|node_modules|at \w+ \(|ER_[A-Z_]+/.test(text)) return false;
  if (status < 400) return true;
  // Pages and unowned paths answer in their own format, but must reveal no more.
  const isPage = headers.get('content-type')?.startsWith('text/html') === true;
  if (body === undefined) return text.length < (isPage ? 1000 : 200);
  return path.startsWith('/api/v1')
    ? body.result === 'error' && typeof body.msg === 'string'
    : typeof body.detail === 'string' || body.result === 'error';
}
