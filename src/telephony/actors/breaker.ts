/** Leaves a PBX or a carrier alone for a while after it failed several times in a row; all processes share what they saw. */
import { redisKey, type Address } from '../../kernel/actor/address';
import type { Kernel } from '../../kernel/kernel';

export interface Breaker {
  /** How long it stays open; 0 when calls may go through. */
  openForMs(): Promise<number>;
  /** Notes how a call ended. What is refused is no trouble of whoever refuses it. */
  note(error: unknown): Promise<void>;
}

export interface BreakerSettings {
  readonly breakerOpenMs: number;
  readonly breakerFailures: number;
  readonly isTrouble: (error: unknown) => boolean;
}

export function breakerOf(kernel: Kernel, address: Address, settings: BreakerSettings): Breaker {
  const { commands } = kernel.redis;
  const failures = redisKey(kernel.namespace, { ...address, kind: 'breaker' });
  const open = `${failures}:open`;
  // Nobody else calls a PBX during a turn: what was seen stays true until a call fails.
  let isClean = false;
  let isClosed = false;
  return {
    async openForMs() {
      if (isClosed) return 0;
      const [ttl, failed] = await Promise.all([commands.pttl(open), commands.get(failures)]);
      [isClosed, isClean] = [ttl <= 0, failed === null];
      return Math.max(0, ttl);
    },
    async note(error) {
      if (!settings.isTrouble(error)) {
        if (!isClean) await commands.del(failures);
        isClean = true;
        return;
      }
      [isClean, isClosed] = [false, false];
      const [count] = await Promise.all([
        commands.incr(failures),
        commands.pexpire(failures, settings.breakerOpenMs * 4),
      ]);
      // Kept counting while open: the first call after it decides whether it opens again.
      if (count >= settings.breakerFailures) await commands.set(open, '1', 'PX', settings.breakerOpenMs);
    },
  };
}
