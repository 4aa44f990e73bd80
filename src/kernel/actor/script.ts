/** Runs a Lua file by its hash, and sends it in full only if Redis does not know it yet. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';

export interface Script {
  readonly name: string;
  readonly lua: string;
  readonly sha: string;
}

export function readScript(path: string): Script {
  const lua = readFileSync(path, 'utf8');
  return { name: path, lua, sha: createHash('sha1').update(lua).digest('hex') };
}

export async function runScript(
  redis: Redis,
  script: Script,
  keys: readonly string[],
  values: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(script.sha, keys.length, ...keys, ...values);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return redis.eval(script.lua, keys.length, ...keys, ...values);
  }
}
