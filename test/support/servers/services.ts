/** Redis and MariaDB of one test, which it can kill, freeze and restart without disturbing others. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startMariadb } from '../../../scripts/lib/servers/mariadb';
import { startRedis } from '../../../scripts/lib/servers/redis';

/** No server listens here: only root could open this port, which belongs to an obsolete service. */
export const DEAD_PORT = 1;

/** Below the folder of the run, which is deleted when the run ends. */
export function ownDirectory(): { path: string; remove(): void } {
  const path = mkdtempSync(join(process.env['TEST_RUN_DIR'] ?? '', 'own-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) };
}

export { startMariadb, startRedis };
