/** Every operation of the OpenAPI document as requests: with valid values, and with any one value replaced. */
import type { Answer, TestClient } from '../support/http/client';
import { routesOf, type Parameter, type Schema } from './routes';

export interface Operation {
  readonly product: string;
  readonly method: string;
  readonly path: string;
  /** Names of the path's parameters, with their types. */
  readonly inPath: ReadonlyMap<string, Schema>;
  readonly inQuery: ReadonlyMap<string, Schema>;
  readonly inBody: ReadonlyMap<string, Schema>;
  readonly required: ReadonlySet<string>;
  readonly bodyType: string | undefined;
}

const entriesOf = (parameters: readonly Parameter[], place: Parameter['in']): Map<string, Schema> =>
  new Map(parameters.filter((each) => each.in === place).map(({ name, schema }) => [name, schema]));

export async function listOperations(client: TestClient): Promise<Operation[]> {
  return (await routesOf(client)).map(({ method, path, operation: { tags, parameters = [], requestBody } }) => {
    const [bodyType, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    const required = parameters.filter((each) => each.required).map(({ name }) => name);
    return {
      product: tags[0]!,
      method,
      path,
      inPath: entriesOf(parameters, 'path'),
      inQuery: entriesOf(parameters, 'query'),
      inBody: new Map(Object.entries(body?.schema.properties ?? {})),
      required: new Set([...required, ...(body?.schema.required ?? [])]),
      bodyType,
    };
  });
}

/** Valid values: for an operation (`POST /x`), else for every parameter of a name. */
export interface GoodValues {
  readonly ofOperation: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly ofName: Readonly<Record<string, unknown>>;
}

export const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

const givenFor = (operation: Operation, { ofOperation }: GoodValues): Readonly<Record<string, unknown>> =>
  ofOperation[nameOf(operation)] ?? {};

function goodValue(operation: Operation, name: string, schema: Schema, good: GoodValues): unknown {
  const given = givenFor(operation, good);
  if (Object.hasOwn(given, name)) return given[name];
  if (Object.hasOwn(good.ofName, name)) return good.ofName[name];
  if (schema.enum) return schema.enum[0];
  return PLAIN.get(schema.type ?? '') ?? 'x';
}

const PLAIN: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['integer', 1],
  ['number', 1],
  ['boolean', true],
  ['array', []],
  ['object', {}],
]);

/** The replacement of a value, as it is written in the address or in the body. */
export interface Replacement {
  readonly name: string;
  /** For a path: already percent-encoded. */
  readonly raw?: string;
  readonly value?: unknown;
}

export interface Walker {
  readonly client: TestClient;
  readonly good: GoodValues;
  headers(product: string): Record<string, string>;
}

/** Far longer than any response takes; a waiting poll is answered sooner. */
const MAX_MS = 90_000;

export async function request(walker: Walker, operation: Operation, replaced?: Replacement): Promise<Answer> {
  const { client, good } = walker;
  const { method, inPath, inQuery, inBody, required, bodyType, product } = operation;
  const given = givenFor(operation, good);
  const isReplaced = (name: string) => replaced?.name === name;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    isReplaced(name) ? replaced!.raw! : encodeURIComponent(String(goodValue(operation, name, inPath.get(name)!, good))),
  );
  const filled = (schemas: ReadonlyMap<string, Schema>): Record<string, unknown> =>
    Object.fromEntries(
      [...schemas]
        .filter(([name]) => isReplaced(name) || required.has(name) || Object.hasOwn(given, name))
        .map(([name, schema]) => [name, isReplaced(name) ? replaced!.value : goodValue(operation, name, schema, good)]),
    );
  const asText = (fields: Record<string, unknown>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    );
  const body = filled(inBody);
  const isJson = bodyType === 'application/json';
  return client.call(path, {
    method,
    headers: walker.headers(product),
    query: asText(filled(inQuery)),
    ...(bodyType === undefined ? {} : isJson ? { json: body } : { form: asText(body) }),
    signal: AbortSignal.timeout(MAX_MS),
  });
}
