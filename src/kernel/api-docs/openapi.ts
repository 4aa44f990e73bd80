/** The OpenAPI document, made of the very schemas that check requests. */
import { z } from 'zod';
import type { Mount } from '../product';
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
    const { security, failureBody } = mount.dialect;
    Object.assign(securitySchemes, security.schemes);
    if (failureBody) schemas[failureBody.name] = failureBody.schema;
    for (const route of mount.routes) {
      const path = `${mount.prefix}${route.path}`.replace(/:(\w+)/g, '{$1}');
      (paths[path] ??= {})[route.method] = operation(name, mount, route);
    }
  }
  return { openapi: '3.1.0', info, paths, components: { securitySchemes, schemas } };
}

function operation(product: string, mount: Mount, route: RouteFacts): object {
  const { dialect } = mount;
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  const fields = Object.entries({ ...route.rawFields, ...route.params }).filter(([name]) => !inPath.includes(name));
  // A DELETE may bring a body too, but generic clients send none.
  const hasBody = route.method !== 'get' && route.method !== 'delete';
  const inQuery = hasBody ? [] : fields;
  const parameters = [
    ...inPath.map((name) => ({ name, in: 'path', required: true, schema: schemaOf(route.params[name] ?? z.string()) })),
    ...inQuery.map(([name, schema]) => ({ name, in: 'query', required: isRequired(schema), schema: schemaOf(schema) })),
  ];
  return {
    tags: [product],
    summary: route.summary,
    operationId: `${product}_${route.method}${route.path.replace(/\W+/g, '_')}`,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(hasBody && fields.length > 0 ? { requestBody: requestBody(mount, fields) } : {}),
    ...(route.fileLimitBytes > 0 ? { requestBody: fileBody(fields) } : {}),
    ...(route.authenticated ? { security: [{ [dialect.security.name]: [] }] } : { security: [] }),
    responses: {
      ...Object.fromEntries([route.status, ...route.otherStatuses].map((each) => [each, { description: 'Success' }])),
      ...failures(dialect, route),
    },
  };
}

/** Statuses that any route may answer, and the bodies of those whose dialect says what it refuses. */
function failures(dialect: Mount['dialect'], route: RouteFacts): Record<string, object> {
  const replies = (dialect.refusalsOf?.(route) ?? []).map((fault) => ({ fault, ...dialect.failure(fault) }));
  const always = route.authenticated ? [400, 401, 429] : [400];
  const statuses = [...new Set([...always, ...replies.map(({ status }) => status)])].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const own = replies.filter((reply) => reply.status === status);
      const examples = Object.fromEntries(own.map(({ fault, body }) => [fault.message, { value: body }]));
      const { failureBody } = dialect;
      const body = {
        ...(failureBody ? { schema: { $ref: `#/components/schemas/${failureBody.name}` } } : {}),
        ...(own.length === 0 ? {} : { examples }),
      };
      const content = Object.keys(body).length === 0 ? {} : { content: { 'application/json': body } };
      return [String(status), { description: 'Error', ...content }];
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
  const types = mount.dialect.bodyTypes ?? (mount.prefix === '' ? ['application/json'] : forms);
  return { required: required.length > 0, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

/** A file comes in a field of any name, beside the others. */
function fileBody(fields: [string, z.ZodType][]): object {
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(field)]));
  const file = { type: 'string', format: 'binary' };
  return { content: { 'multipart/form-data': { schema: { type: 'object', properties: { ...properties, file } } } } };
}

const isRequired = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success;

function schemaOf(schema: z.ZodType): object {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Record<
    string,
    unknown
  >;
  return described;
}
