/** Validators of responses, compiled from the OpenAPI document on first use. */
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { apiDocument } from './api-document';

let ajv: Ajv2020 | undefined;
const validators = new Map<object, ValidateFunction>();

/** @param schema a part of the document */
export function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  const made = compile(schema);
  validators.set(schema, made);
  return made;
}

function compile(schema: object): ValidateFunction {
  ajv ??= new Ajv2020({
    strict: false,
    validateSchema: false,
    validateFormats: false,
    code: { optimize: false },
  }).addSchema({ components: closed(apiDocument().components) }, 'api');
  const text = JSON.stringify(closed(schema)).replaceAll('"$ref":"#/components/', '"$ref":"api#/components/');
  return ajv.compile(JSON.parse(text) as object);
}

/** The document allows further fields, so that a later release may add some; all present fields are described. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, closed(each)]),
  );
  const isObject = copy['type'] === 'object' && typeof copy['properties'] === 'object';
  return isObject && copy['additionalProperties'] === undefined ? { ...copy, additionalProperties: false } : copy;
}
