/** Removes the OpenAPI document that was written for this run. */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';

export default function removeApiDocument(): void {
  const path = process.env['API_DOCUMENT'];
  if (path !== undefined) rmSync(dirname(path), { recursive: true, force: true });
}
