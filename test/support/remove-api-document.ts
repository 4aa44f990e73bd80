/** Removes the OpenAPI document that was written for this run. */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';

// oxlint-disable-next-line import/no-default-export -- jest calls this one
export default function removeApiDocument(): void {
  const path = process.env['API_DOCUMENT'];
  if (path !== undefined) rmSync(dirname(path), { recursive: true, force: true });
}
