/** Redis and MariaDB of a test's own, to be killed, frozen and restarted without disturbing the others. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startMariadb } from '../../scripts/lib/mariadb';
import { startRedis } from '../../scripts/lib/redis';

/** On loopback nobody listens here: only the administrator of the machine could, for a service that died out. */
export const DEAD_PORT = 1;

/** Inside the checkout, where nothing is left after a run. */
export function ownDirectory(): { path: string; remove(): void } {
  const path = mkdtempSync(join(__dirname, '../../.cache/own-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) };
}

export { startMariadb, startRedis };
