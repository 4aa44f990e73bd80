/** Checks devices that people add, removes them, and tries whether pushes reach them. */
import type { Tenant } from '../actor/address';
import { ensure } from '../fault';
import type { Mailbox } from '../mailbox/mailbox';
import type { RequestParts } from '../mailbox/request';
import type { Database } from '../mysql/pool';
import type { OpenPush } from './open-push';
import { type PushAddress, troubleOf } from './push-address';
import type { PushDevices } from './push-devices';
import { badPushAddress, noSuchDevice, pushesAreOff } from './push-faults';
import type { DeviceMail } from './take-up-pushes';

export function ensureReachable(push: OpenPush, address: PushAddress): void {
  ensure(push.isOn, pushesAreOff());
  const trouble = troubleOf(address, push.outbound);
  if (trouble !== undefined) throw badPushAddress(trouble);
}

/** One of a person's devices. */
export interface OwnDevice {
  readonly owner: string | number;
  readonly id: number;
}

/** What a product calls missing. */
type Missing = Parameters<typeof noSuchDevice>[0];

export function deviceChanges(
  devices: PushDevices,
  mailbox: Pick<Mailbox<DeviceMail | object, DeviceMail>, 'at'>,
  missing: Missing,
) {
  return {
    async remove(db: Database, { owner, id }: OwnDevice): Promise<void> {
      ensure(await devices.remove(db, owner, id), noSuchDevice(missing));
    },

    /** Returns once the push service has taken the test, or not. */
    async test(parts: RequestParts, tenant: Tenant, { owner, id }: OwnDevice): Promise<void> {
      const own = await devices.list(parts.mysql, owner);
      const isOwn = own.some((device) => device.id === id);
      ensure(isOwn, noSuchDevice(missing));
      await mailbox.at(tenant, String(id)).request(parts, { isTest: true });
    },
  };
}
