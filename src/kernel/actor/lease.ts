/** The right to act for an address for a while. It only prevents wasted work: the fence provides safety (fence.ts). */
import { join } from 'node:path';
import type { Kernel } from '../kernel';
import { newId } from '../id';
import { redisKey, type Address } from './address';
import { readScript, runScript } from './script';

const script = readScript(join(__dirname, 'lease.lua'));

/** Another process is acting for this address; retry later. */
export class Busy extends Error {
  /** The approximate delay before a retry. */
  readonly retryMs: number;

  constructor(message = 'another process is acting for this address', retryMs = 100) {
    super(message);
    this.name = 'Busy';
    this.retryMs = retryMs;
  }
}

type LeaseParts = Pick<Kernel, 'namespace' | 'redis'>;

const keyOf = ({ namespace }: LeaseParts, address: Address): string => `${redisKey(namespace, address)}:lease`;

/**
 * Runs the work while holding the lease. The signal is aborted when the lease is lost, so that the work stops early.
 * Throws Busy if another process holds it.
 */
export async function withLease<T>(
  kernel: Kernel,
  address: Address,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const key = keyOf(kernel, address);
  const token = newId();
  const call = async (verb: 'take' | 'keep' | 'release') =>
    (await runScript(kernel.redis.commands, script, [key], [verb, token, kernel.settings.leaseMs])) === 1;

  if (!(await call('take'))) throw new Busy();
  const lost = new AbortController();
  let keptUntil = Date.now() + kernel.settings.leaseMs;
  const renewal = setInterval(() => {
    const asked = Date.now();
    call('keep').then(
      (kept) => (kept ? (keptUntil = asked + kernel.settings.leaseMs) : lost.abort()),
      // Redis may be briefly unreachable. Once the lease has expired, another process may hold it.
      () => Date.now() >= keptUntil && lost.abort(),
    );
  }, kernel.settings.leaseMs / 3);
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(renewal);
    await call('release').catch(() => {});
  }
}
