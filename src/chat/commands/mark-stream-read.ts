/** Marks everything a user has received in a stream as read. */
import type { Kernel } from '../../kernel/kernel';
import { commitPacket } from '../../kernel/mysql/packet';
import type { Tx } from '../../kernel/mysql/transaction';
import { readMark } from '../model/read-marks';
import { invalidStreamId } from '../model/stream-faults';
import type { User } from '../model/user';
import { streamPacket } from '../store/mark-packets';
import * as readMarks from '../store/read-marks';

export async function markStreamRead(kernel: Kernel, by: User, streamId: number): Promise<void> {
  const { stream } = await commitPacket(kernel, streamPacket(by, streamId));
  if (stream === null) throw invalidStreamId();
}

/** For whoever changes what a user hears, in the transaction that does so. */
export async function markPlaceRead(tx: Tx, by: readMarks.Reader, recipientId: number): Promise<void> {
  const marked = await readMarks.markPlace(tx.db, by, recipientId);
  if (!marked) return;
  const place = { recipientId, topicId: null };
  tx.deliver(readMark({ realmId: by.realmId, userId: by.id, stretch: { ...place, ...marked }, touched: [place] }));
}
