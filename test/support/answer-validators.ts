/**
 * Validators of answers, compiled once a run. Compiling those of one test file takes about half a second, so the first
 * test file that wants a validator leaves it beside the document, as a module, and all others load it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020';
import type { ApiDocument } from './api-operations';
import type * as Compiler from './compile-validator';

let read: ApiDocument | undefined;

/** As it was written when the run began. */
export const apiDocument = (): ApiDocument =>
  (read ??= JSON.parse(readFileSync(process.env['API_DOCUMENT']!, 'utf8')) as ApiDocument);

const validators = new Map<object, ValidateFunction>();

/** @param schema a part of the document */
export function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  // Named by its text: the answers of all routes share about a hundred schemas.
  const name = createHash('sha256').update(JSON.stringify(schema)).digest('hex');
  const path = join(dirname(process.env['API_DOCUMENT']!), `${name}.js`);
  if (!existsSync(path)) leave(path, schema);
  const made = require(path) as ValidateFunction;
  validators.set(schema, made);
  return made;
}

function leave(path: string, schema: object): void {
  // Loaded here, so that most test files need not load Ajv.
  const { compileValidator } = require('./compile-validator') as typeof Compiler;
  // Other workers must never load half of it.
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, compileValidator(apiDocument(), schema));
  renameSync(draft, path);
}
