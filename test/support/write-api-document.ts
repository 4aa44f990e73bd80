/**
 * Writes the OpenAPI document once for all test files of a run: to make it would take each of them seconds. `npm test`
 * runs jest on several releases of Node; all of them use what the first has written.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Maker from './api-document';

// oxlint-disable-next-line import/no-default-export -- jest calls this one
export default function writeApiDocument(): void {
  const path = join(folder(), 'openapi.json');
  if (!existsSync(path)) {
    // Loaded here, because it loads the whole server.
    const { apiDocument } = require('./api-document') as typeof Maker;
    const draft = `${path}.${randomUUID()}`;
    writeFileSync(draft, JSON.stringify(apiDocument()));
    renameSync(draft, path);
  }
  process.env['API_DOCUMENT'] = path;
}

/** Below the packages, because the validators that are written beside the document load a few functions of Ajv. */
function folder(): string {
  const run = process.env['TEST_RUN_DIR'];
  const parent = run ?? join(__dirname, '../../.cache');
  mkdirSync(parent, { recursive: true });
  if (run === undefined) return mkdtempSync(join(parent, 'api-'));
  const shared = join(run, 'api');
  mkdirSync(shared, { recursive: true });
  return shared;
}
