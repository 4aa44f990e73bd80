/** Builds the OpenAPI document from the schemas that validate requests. */
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { Mount } from '../product';
import { outputSchema, successes } from './describe-answers';
import { schemaOf } from '../http/params';
import type { RouteFacts } from '../http/route';

export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

export function openApiDocument(info: ApiInfo, mounts: readonly { name: string; mount: Mount }[]): object {
  const paths: Record<string, Record<string, unknown>> = {};
  const securitySchemes: Record<string, unknown> = {};
  const schemas: Record<string, unknown> = {};
  for (const { name, mount } of mounts) {
    const { security, failureBody } = mount.wireFormat;
    Object.assign(securitySchemes, security.schemes);
    const failure = outputSchema(failureBody, schemas);
    for (const route of mount.routes) {
      const path = `${mount.prefix}${route.path}`.replace(/:(\w+)/g, '{$1}');
      (paths[path] ??= {})[route.method] = operation({ product: name, mount, failure, schemas }, route);
    }
  }
  // Relative to the document: the same server serves the API.
  return { openapi: '3.1.0', info, servers: [{ url: '/' }], paths, components: { securitySchemes, schemas } };
}

interface Describing {
  readonly product: string;
  readonly mount: Mount;
  readonly failure: object;
  readonly schemas: Record<string, unknown>;
}

function operation({ product, mount, failure, schemas }: Describing, route: RouteFacts): object {
  const { wireFormat } = mount;
  const envelope = wireFormat.envelope ?? ((schema: z.ZodType) => schema);
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  const fields = Object.entries({ ...route.rawFields, ...route.params }).filter(([name]) => !inPath.includes(name));
  // A DELETE may have a body too, but generic clients send none.
  const hasBody = route.method !== 'get' && route.method !== 'delete';
  const inQuery = hasBody ? [] : fields;
  const parameters = [
    ...inPath.map((name) => ({ name, in: 'path', required: true, schema: schemaOf(route.params[name] ?? z.string()) })),
    ...inQuery.map(([name, schema]) => ({ name, in: 'query', required: isRequired(schema), schema: schemaOf(schema) })),
  ];
  return {
    tags: [product],
    summary: route.summary,
    operationId: `${product}_${route.method}${(route.path === '/' ? `/at${mount.prefix}` : route.path).replace(/\W+/g, '_')}`,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(hasBody && fields.length > 0 ? { requestBody: requestBody(mount, fields) } : {}),
    ...(route.fileLimitBytes > 0 ? { requestBody: fileBody(fields) } : {}),
    ...(route.authenticated ? { security: [{ [wireFormat.security.name]: [] }] } : { security: [] }),
    responses: {
      ...successes(route.answer, route.status, { envelope, components: schemas }),
      ...failures(wireFormat, route, failure),
    },
  };
}

/** Refusals that any route may answer. A load balancer answers 503 and 504 by itself. */
const ANYWHERE = [400, 429, 500, 503, 504];
const AUTHENTICATED = [401];
const WITH_BODY = [413, 415];

/** Every refusal has the wire format's body. Those that it names are shown as examples, unless they are pages. */
function failures(wireFormat: Mount['wireFormat'], route: RouteFacts, schema: object): Record<string, object> {
  const [mediaType] = (wireFormat.failureType ?? 'application/json').split(';') as [string];
  const isPage = wireFormat.failureType !== undefined;
  const replies = (wireFormat.refusalsOf?.(route) ?? []).map((fault) => ({ fault, ...wireFormat.failure(fault) }));
  const usual = [
    ...ANYWHERE,
    ...(route.authenticated ? AUTHENTICATED : []),
    ...(route.method === 'get' ? [] : WITH_BODY),
  ];
  const statuses = [...new Set([...usual, ...replies.map(({ status }) => status)])].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const own = replies.filter((reply) => reply.status === status);
      const examples = Object.fromEntries(own.map(({ fault, body }) => [fault.message, { value: body }]));
      const json = { schema, ...(own.length === 0 ? {} : { examples }) };
      const content = { [mediaType]: isPage ? { schema: { type: 'string' } } : json };
      return [String(status), { description: STATUS_CODES[status] ?? 'Error', content }];
    }),
  );
}

function requestBody(mount: Mount, fields: [string, z.ZodType][]): object {
  const required = fields.filter(([, schema]) => isRequired(schema)).map(([name]) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(field)])),
    ...(required.length > 0 ? { required } : {}),
  };
  const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'];
  const types = mount.wireFormat.bodyTypes ?? (mount.prefix === '' ? ['application/json'] : forms);
  return { required: required.length > 0, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

/** A file comes in a field of any name, beside the others. */
function fileBody(fields: [string, z.ZodType][]): object {
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(field)]));
  const file = { type: 'string', format: 'binary' };
  return { content: { 'multipart/form-data': { schema: { type: 'object', properties: { ...properties, file } } } } };
}

const isRequired = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success;
