/** Checks that Redis does what Partyline depends on: it accepts a write from a script. A replica answers PING too. */
import type { Redis } from 'ioredis';
import { installationKey } from './keys';

const WRITE = "return redis.call('SET', KEYS[1], ARGV[1], 'EX', 60)";

/** Writes one small key, shared by all nodes of a namespace, in the slot of the jobs. Throws Redis' error. */
export async function takeWrite(redis: Redis, namespace: string): Promise<void> {
  await redis.eval(WRITE, 1, installationKey(namespace, 'ready'), '1');
}

/** By the word at the start of the reply, or inside a script's error. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/\bREADONLY\b/, 'Redis takes no writes: it is a read-only replica'],
  [/\bMOVED\b/, 'Redis takes no writes: it is a node of a Redis Cluster'],
  [/\bCLUSTERDOWN\b/, 'Redis takes no writes: its cluster is down'],
  [/\bOOM\b/, 'Redis takes no writes: its memory is full (maxmemory)'],
  [/\bMISCONF\b/, 'Redis takes no writes: it cannot save to its disk'],
  [/\bNOREPLICAS\b/, 'Redis takes no writes: too few of its replicas are connected'],
  [/\bMASTERDOWN\b/, 'Redis takes no writes: it is a replica whose primary is away'],
  [/\bLOADING\b/, 'Redis is loading its data'],
  [/\bNOPERM\b/, 'Redis takes no writes: the user in REDIS_URL may not run scripts'],
];

/** For people who read a probe: no addresses or internals. */
export function whyNoWrite(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  return REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? 'Redis does not answer';
}
