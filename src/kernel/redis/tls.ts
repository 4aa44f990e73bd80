/** TLS options from REDIS_URL: the authority that checks the server's certificate, and our own certificate. */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

const OPTIONS = ['ca', 'cert', 'key'] as const;
type Option = (typeof OPTIONS)[number];

/**
 * Undefined if connections are not encrypted. The certificate must name the host or address that we connect to. Files
 * are read once; a new certificate needs a restart.
 */
export function tlsOf(options: URLSearchParams, isEncrypted: boolean): ConnectionOptions | undefined {
  const unknown = [...options.keys()].find((name) => !OPTIONS.includes(name as Option));
  if (unknown !== undefined) throw wrong(`"${unknown}" is not an option (there are ${OPTIONS.join(', ')})`);
  if (!isEncrypted) {
    if (options.size > 0) throw wrong('ca, cert and key need rediss://, rediss+sentinel:// or rediss+cluster://');
    return undefined;
  }
  if (options.has('cert') !== options.has('key')) throw wrong('cert and key must be given together');
  return Object.fromEntries([...options].map(([option, path]) => [option, read(option, path)]));
}

function read(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw wrong(`the file of ${option} cannot be read: ${(error as Error).message}`);
  }
}

const wrong = (what: string): Error => new Error(`REDIS_URL is wrong: ${what}`);
