/** Records that a user has seen a step of the tour, and publishes the next ones to their clients. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { eventDelivery } from '../../model/events/event';
import { isHotspot, nextHotspots, withSeen } from '../../model/users/tour';
import type { User } from '../../model/users/user';
import { unknownHotspot } from '../../model/users/user-faults';
import { ensureHuman } from '../../model/users/user-policy';
import { withSetting } from '../../model/users/user-settings';
import * as settings from '../../store/users/user-settings';

export async function seeHotspot(kernel: Kernel, by: User, name: string): Promise<void> {
  ensureHuman(by);
  ensure(isHotspot(name), unknownHotspot(name));
  await kernel.transaction(async (tx) => {
    const before = await settings.lock(tx.db, by.id);
    const after = withSetting(before, 'seen_hotspots', withSeen(before, name));
    await settings.write(tx.db, by.id, after);
    tx.deliver(eventDelivery(by.realmId, [by.id], { type: 'hotspots', hotspots: nextHotspots(after) }));
  });
}
