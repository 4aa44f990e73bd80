/** Leaves a PBX alone for a while after it failed several times in a row; all processes share what they saw of it. */
import type { Address } from '../../../kernel/actor/address';
import { redisKey } from '../../../kernel/actor/address';
import type { Kernel } from '../../../kernel/kernel';
import type { ProvisioningSettings } from '../../model/operation';
import { PbxError } from './driver';

export interface Breaker {
  /** How long it stays open; 0 when calls may go through. */
  openForMs(): Promise<number>;
  /** Notes how a call ended. What the PBX refuses is no trouble of the PBX. */
  note(error: unknown): Promise<void>;
}

export function breakerOf(kernel: Kernel, address: Address, settings: ProvisioningSettings): Breaker {
  const { commands } = kernel.redis;
  const failures = redisKey(kernel.namespace, { ...address, kind: 'breaker' });
  const open = `${failures}:open`;
  // Nobody else calls this PBX during a turn: what was seen stays true until a call fails.
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
      const isTrouble = error instanceof PbxError && error.trouble !== 'refused';
      if (!isTrouble) {
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
