/** Rate limits for attempts without credentials: per account, and per client address. */
import { addressGroup } from '../admission/address-group';
import type { Kernel } from '../kernel';
import type { Keyspace } from '../redis/connections';
import type { RateRule } from '../settings';
import type { Incoming } from '../http/incoming';
import { openKnownDevices, type KnownDevices } from './known-devices';
import { openRateLimit, type RateLimit } from '../admission/rate-limit';

/** Many accounts may share an address, so its limit is higher. */
const ADDRESS_SHARE = 10;

export interface AttemptLimits {
  readonly account: RateLimit;
  readonly address: RateLimit;
}

export const openAttemptLimits = (kernel: Keyspace, name: string, rule: RateRule | null): AttemptLimits => ({
  account: openRateLimit(kernel, name, rule),
  address: openRateLimit(kernel, `${name}-from`, rule && { ...rule, requests: rule.requests * ADDRESS_SHARE }),
});

export interface PasswordLimits extends AttemptLimits, Pick<KnownDevices, 'remember'> {
  /**
   * Counts an attempt at the password of an account. Beyond the limits, a browser that has signed in to the account
   * before has as many attempts of its own. Then the ids of those who did are returned: only theirs may be tried.
   */
  countPassword(incoming: Incoming, account: string): Promise<readonly string[] | undefined>;
}

export function openPasswordLimits(
  kernel: Keyspace & Pick<Kernel, 'secrets'>,
  name: string,
  rule: RateRule | null,
  cookieName: string,
): PasswordLimits {
  const limits = openAttemptLimits(kernel, name, rule);
  const devices = openKnownDevices(cookieName, kernel.secrets);
  const ofDevice = openRateLimit(kernel, `${name}-device`, rule);
  return {
    ...limits,
    remember: (incoming, account, person) => devices.remember(incoming, account, person),
    async countPassword(incoming, account) {
      try {
        await limits.address.count(addressGroup(incoming.ip));
        await limits.account.count(account);
        return undefined;
      } catch (refusal) {
        const device = devices.find(incoming, account);
        if (!device) throw refusal;
        await ofDevice.count(`${device.id}:${account}`);
        return device.people;
      }
    },
  };
}
