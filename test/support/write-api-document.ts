/** Writes the OpenAPI document once for all test files of a run: to make it would take each of them seconds. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiDocument } from './api-document';

// oxlint-disable-next-line import/no-default-export -- jest calls this one
export default function writeApiDocument(): void {
  const path = join(mkdtempSync(join(tmpdir(), 'partyline-api-')), 'openapi.json');
  writeFileSync(path, JSON.stringify(apiDocument()));
  process.env['API_DOCUMENT'] = path;
}
