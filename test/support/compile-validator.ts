/** Turns a schema of the OpenAPI document into the text of a module that checks values against it. */
import Ajv2020 from 'ajv/dist/2020';
import standaloneCode from 'ajv/dist/standalone';
import type { ApiDocument } from './api-operations';

let ajv: Ajv2020 | undefined;

export function compileValidator(document: ApiDocument, schema: object): string {
  ajv ??= new Ajv2020({
    strict: false,
    validateSchema: false,
    validateFormats: false,
    code: { optimize: false, source: true },
  }).addSchema({ components: closed(document.components) }, 'api');
  const text = JSON.stringify(closed(schema)).replaceAll('"$ref":"#/components/', '"$ref":"api#/components/');
  return standaloneCode(ajv, ajv.compile(JSON.parse(text) as object));
}

/** The document allows further fields, so that there can be some one day; what there is today is all described. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, closed(each)]),
  );
  const isObject = copy['type'] === 'object' && typeof copy['properties'] === 'object';
  return isObject && copy['additionalProperties'] === undefined ? { ...copy, additionalProperties: false } : copy;
}
