/** Writes the OpenAPI document once for all test files of a run: to make it would take each of them seconds. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiDocument } from './api-document';

// oxlint-disable-next-line import/no-default-export -- jest calls this one
export default function writeApiDocument(): void {
  // Below the packages, because the validators that are written beside it load a few functions of Ajv.
  const parent = process.env['TEST_RUN_DIR'] ?? join(__dirname, '../../.cache');
  mkdirSync(parent, { recursive: true });
  const path = join(mkdtempSync(join(parent, 'api-')), 'openapi.json');
  writeFileSync(path, JSON.stringify(apiDocument()));
  process.env['API_DOCUMENT'] = path;
}
