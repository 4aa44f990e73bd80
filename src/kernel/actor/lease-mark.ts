/**
 * A mark for whoever holds the lease of an address: more work has come, look once more before you go. A process that
 * finds the lease taken leaves it. So nobody waits for a timer, and a crowd costs no polling.
 */
import type { Kernel } from '../kernel';
import { redisKey, type Address } from './address';

/** Longer than any turn. */
const MARK_MS = 600_000;

export interface LeaseMark {
  /** The holder may have looked just before the mark was there: whoever leaves it tries the lease once more. */
  leave(): Promise<void>;
  /** Takes the mark away; says whether there was one. */
  take(): Promise<boolean>;
}

export function leaseMark({ namespace, redis }: Pick<Kernel, 'namespace' | 'redis'>, address: Address): LeaseMark {
  const key = `${redisKey(namespace, address)}:more`;
  return {
    leave: async () => void (await redis.commands.set(key, '1', 'PX', MARK_MS)),
    take: async () => (await redis.commands.getdel(key)) !== null,
  };
}
