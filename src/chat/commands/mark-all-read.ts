/** Marks everything a user has ever received as read. */
import type { Kernel } from '../../kernel/kernel';
import { allRead, readMark } from '../model/read-marks';
import type { User } from '../model/user';
import * as readMarks from '../store/read-marks';

export function markAllRead(kernel: Kernel, by: User): Promise<void> {
  return kernel.transaction(async (tx) => {
    await readMarks.markAll(tx.db, by);
    tx.deliver(allRead(by));
    tx.deliver(readMark({ realmId: by.realmId, userId: by.id }));
  });
}
