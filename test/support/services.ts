/** Redis and MariaDB of a test's own, to be killed, frozen and restarted without disturbing the others. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startMariadb } from '../../scripts/lib/mariadb';
import { startRedis } from '../../scripts/lib/redis';

/** On loopback nobody listens here: only the administrator of the machine could, for a service that died out. */
export const DEAD_PORT = 1;

/** Below the folder of the run, which goes when the run ends. */
export function ownDirectory(): { path: string; remove(): void } {
  const path = mkdtempSync(join(process.env['TEST_RUN_DIR'] ?? '', 'own-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) };
}

export { startMariadb, startRedis };
