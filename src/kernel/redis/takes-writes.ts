/** Whether Redis does what Partyline lives on: it takes a write that a script makes. A replica answers PING as well. */
import type { Redis } from 'ioredis';
import { installationKey } from './keys';

const WRITE = "return redis.call('SET', KEYS[1], ARGV[1], 'EX', 60)";

/** One small key for all nodes of a namespace, beside the jobs. Throws what Redis says against it. */
export async function takeWrite(redis: Redis, namespace: string): Promise<void> {
  await redis.eval(WRITE, 1, installationKey(namespace, 'ready'), '1');
}

/** By the word that the reply begins with, or that a script's error carries within. */
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

/** For people who ask a probe: nothing of addresses or of the inside. */
export function whyNoWrite(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  return REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? 'Redis does not answer';
}
