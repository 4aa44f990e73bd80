/** Circuit breaker for a PBX or carrier: opens after several failures in a row. All processes share it in Redis. */
import { redisKey, type Address } from '../../kernel/actor/address';
import type { FarEndKind } from '../../kernel/far-ends/far-end';
import { noteFarEnd } from '../../kernel/far-ends/far-end-notes';
import type { Kernel } from '../../kernel/kernel';
import type { Keyspace } from '../../kernel/redis/connections';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

type Parts = Keyspace & Pick<Kernel, 'log'>;

export interface Breaker {
  /** How long the breaker stays open, in milliseconds; 0 if calls may go through. */
  openForMs(): Promise<number>;
  /**
   * Records how a call ended. A refusal is not a failure of the PBX or carrier. Never throws: an unreachable Redis must
   * not change the outcome of the call.
   */
  note(error: unknown): Promise<void>;
}

export interface BreakerSettings {
  readonly breakerOpenMs: number;
  readonly breakerFailures: number;
  readonly isTrouble: (error: unknown) => boolean;
  /** Whether the far end cannot be used, which operators are shown. Credentials that it refuses open no breaker. */
  readonly isFailing: (error: unknown) => boolean;
}

type BreakerAddress = Address & { readonly kind: FarEndKind };

export function breakerOf(kernel: Parts, address: BreakerAddress, settings: BreakerSettings): Breaker {
  const { commands } = kernel.redis;
  const failures = redisKey(kernel.namespace, { ...address, kind: 'breaker' });
  const open = `${failures}:open`;
  // Only this turn calls the PBX, so the state read from Redis holds until a call fails.
  let isClean = false;
  let isClosed = false;

  async function noteSuccess(): Promise<void> {
    if (!isClean) await commands.del(failures);
    isClean = true;
  }

  async function noteFailure(): Promise<void> {
    [isClean, isClosed] = [false, false];
    const [count] = await Promise.all([
      commands.incr(failures),
      commands.pexpire(failures, settings.breakerOpenMs * 4),
    ]);
    // The count is kept while the breaker is open, so one more failure afterwards opens it again.
    if (count >= settings.breakerFailures) await commands.set(open, '1', 'PX', settings.breakerOpenMs);
  }

  return {
    async openForMs() {
      if (isClosed) return 0;
      const [ttl, failed] = await Promise.all([commands.pttl(open), commands.get(failures)]);
      [isClosed, isClean] = [ttl <= 0, failed === null];
      return Math.max(0, ttl);
    },
    async note(error) {
      try {
        const wasFailing = !isClean;
        await (settings.isTrouble(error) ? noteFailure() : noteSuccess());
        await noteFarEnd(kernel, address, settings.isFailing(error) ? { error: messageOf(error) } : { wasFailing });
      } catch (cause) {
        kernel.log.warn({ error: cause, kind: address.kind, id: address.id }, 'could not write a circuit breaker');
      }
    },
  };
}
