/** Describes the successful responses of routes for the OpenAPI document. */
import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { bodiesOf, isList, isMedia, type Answer, type Media } from '../http/answers';

export interface Describing {
  /** The product's envelope around a value. */
  readonly envelope: (schema: z.ZodType) => z.ZodType;
  /** Collects schemas that have a name. */
  readonly components: Record<string, unknown>;
}

/** The successful `responses` of an operation. */
export function successes(answer: Answer, status: number, how: Describing): Record<string, object> {
  return Object.fromEntries(
    Object.entries(bodiesOf(answer, status)).map(([code, body]) => {
      const content = contentOf(isList(body) ? body : [body], how);
      const described = { description: STATUS_CODES[Number(code)] ?? 'Success' };
      return [code, Object.keys(content).length === 0 ? described : { ...described, content }];
    }),
  );
}

function contentOf(
  bodies: readonly (z.ZodType | Media)[],
  { envelope, components }: Describing,
): Record<string, object> {
  const content: Record<string, object> = {};
  for (const body of bodies) {
    if (!isMedia(body)) content['application/json'] = { schema: outputSchema(envelope(body), components) };
    else if (body.mediaType !== null) content[body.mediaType] = { schema: { type: 'string', format: 'binary' } };
  }
  return content;
}

/** The JSON Schema of a response; named parts are collected and referenced. */
export function outputSchema(schema: z.ZodType, components: Record<string, unknown>): object {
  const described = z.toJSONSchema(schema, { io: 'output', override: ({ jsonSchema }) => simplify(jsonSchema) });
  const { $schema: _, $defs = {}, ...own } = inComponents(described);
  for (const [name, part] of Object.entries($defs)) {
    const other = (components[name] ??= part);
    if (!isDeepStrictEqual(other, part)) throw new Error(`Two schemas are called ${name}`);
  }
  return own;
}

type JsonSchema = z.core.JSONSchema.JSONSchema;

const inComponents = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/')) as JsonSchema;

/**
 * Later releases may add fields to responses, so the document does not forbid them; the tests do. That integers are
 * safe integers goes without saying.
 */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // The length implies this already, and code generators mistake it for an empty list.
  if (schema.prefixItems && schema.items === false) delete schema.items;
  delete schema.propertyNames;
}
