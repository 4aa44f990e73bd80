/**
 * Requests for every authenticated route of chat, built from the route's own parameters: a new route needs no entry.
 */
import type { RouteOfDocument, Schema } from '../../../access/routes';
import { BY_HAND } from './by-hand';
import { NAMING, NAMING_BY_ROUTE, PLAIN, SOUND } from './parameters';
import { FILLED_IN, NOTHING, type Things } from './things';

type Fields = Readonly<Record<string, unknown>>;
type Filling = (things: Things) => Fields;

export interface Asking {
  /** By method and path as in the OpenAPI document. */
  readonly route: string;
  /** The route, and which of its requests if it has several. */
  readonly name: string;
  readonly fields: Filling;
  /** Whether it names an object of an organisation; otherwise it is about the caller alone. */
  readonly isForeign: boolean;
}

interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

const inPath = ({ path }: RouteOfDocument): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);

function fieldsOf({ operation }: RouteOfDocument): Field[] {
  const asked = (operation.parameters ?? []).filter(({ in: place }) => place === 'query');
  const [body] = Object.values(operation.requestBody?.content ?? {});
  const sent = Object.entries(body?.schema.properties ?? {}).map(([name, schema]) => ({
    name,
    schema,
    required: body?.schema.required?.includes(name) ?? false,
  }));
  return [...asked, ...sent].filter(({ schema }) => schema.format !== 'binary');
}

function soundValue({ name, schema }: Field, things: Things): unknown {
  const [naming] = NAMING[name] ?? [];
  if (naming) return naming(things);
  return SOUND[name] ?? schema.enum?.[0] ?? (schema.type === 'boolean' ? true : undefined);
}

/** The required parameters. If there are none, the first with a valid value: an update needs something to change. */
function usual({ method }: RouteOfDocument, fields: readonly Field[]): Filling {
  const required = fields.filter((field) => field.required);
  const some = fields.filter(({ name, schema }) => name in SOUND || schema.type === 'boolean').slice(0, 1);
  const sent = required.length > 0 || method === 'GET' || method === 'DELETE' ? required : some;
  return (things) => Object.fromEntries(sent.map((field) => [field.name, soundValue(field, things)]));
}

/** One request for each parameter that names an object; without any, one request. */
function derived(route: RouteOfDocument): Filling[] {
  const fields = fieldsOf(route);
  const rest = usual(route, fields);
  const naming = fields.flatMap(({ name }) => (NAMING[name] ?? []).map((value) => ({ name, value })));
  if (naming.length === 0) return [rest];
  return naming.map(({ name, value }) => (things) => ({ ...rest(things), [name]: value(things) }));
}

const OTHERS = Object.fromEntries(
  Object.entries(NOTHING).map(([name, value]) => [name, typeof value === 'number' ? value + 1000 : `${value}x`]),
) as unknown as Things;

const dependsOnThings = (fields: Filling): boolean =>
  JSON.stringify(fields(NOTHING)) !== JSON.stringify(fields(OTHERS));

/** For authenticated callers, or about what one organisation shows publicly. */
const isRequested = (route: RouteOfDocument): boolean => !route.isOpen || route.path.includes('{realm_id}');

export function askingsOf(routes: readonly RouteOfDocument[]): Asking[] {
  return routes.filter(isRequested).flatMap((route) => {
    const requests = BY_HAND[route.name] ?? derived(route);
    const isAboutThing = inPath(route).some((name) => name in NOTHING);
    return requests.map((fields, place) => ({
      route: route.name,
      name: requests.length > 1 ? `${route.name} (${place + 1})` : route.name,
      fields,
      isForeign: isAboutThing || dependsOnThings(fields),
    }));
  });
}

/** Parameters that are not classified yet: requests cannot be derived from them. */
export function unknownParameters(routes: readonly RouteOfDocument[]): string[] {
  const isPlain = ({ name, schema }: Field) =>
    name in NAMING || PLAIN.has(name) || schema.type === 'boolean' || schema.enum !== undefined;
  return routes.filter(isRequested).flatMap((route) => [
    ...inPath(route)
      .filter((name) => !(name in NOTHING) && !FILLED_IN.has(name))
      .map((name) => `${route.name}: {${name}} is not in things.ts`),
    ...fieldsOf(route)
      .filter((field) => !isPlain(field) && !(NAMING_BY_ROUTE.has(field.name) && route.name in BY_HAND))
      .map(({ name }) => `${route.name}: ${name} is not in parameters.ts`),
  ]);
}

/** Hand-written requests for routes that no longer exist. */
export const superfluous = (routes: readonly RouteOfDocument[]): string[] =>
  Object.keys(BY_HAND).filter((name) => !routes.some((route) => route.name === name));
