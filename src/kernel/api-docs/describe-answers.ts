/** What routes answer when they succeed, as the OpenAPI document says it. */
import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { bodiesOf, isList, isMedia, type Answer, type Media } from '../http/answers';

export interface Describing {
  /** The product's envelope around a value. */
  readonly envelope: (schema: z.ZodType) => z.ZodType;
  /** Schemas with a name of their own are collected here. */
  readonly components: Record<string, unknown>;
}

/** The `responses` of an operation, as far as they are successes. */
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

/** The JSON schema of what is sent; named parts of it are collected and referred to. */
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
 * Answers may get further fields in a later release, so the document does not forbid them; the tests do.
 * That an integer is one that JavaScript can hold goes without saying.
 */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // Its length says this already, and generators take it for a list of nothing.
  if (schema.prefixItems && schema.items === false) delete schema.items;
  delete schema.propertyNames;
}
