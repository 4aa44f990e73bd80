/** Removes the OpenAPI document that was written for one run of jest; that of a run of npm test goes with its folder. */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';

// oxlint-disable-next-line import/no-default-export -- jest calls this one
export default function removeApiDocument(): void {
  const path = process.env['API_DOCUMENT'];
  if (path === undefined || process.env['TEST_RUN_DIR'] !== undefined) return;
  rmSync(dirname(path), { recursive: true, force: true });
}
