/** Marks all messages that a user received in a stream as read. */
import type { Kernel } from '../../../kernel/kernel';
import { sendLast } from '../../../kernel/mailbox/kernel-mail';
import type { Tx } from '../../../kernel/mysql/transaction';
import * as mailboxes from '../../actors/mailboxes';
import { readMarkMail } from '../../model/reading/read-marks';
import { invalidStreamId } from '../../model/streams/stream-faults';
import type { User } from '../../model/users/user';
import { streamPacket } from '../../store/reading/mark-packets';
import * as readMarks from '../../store/reading/read-marks';
import { commitMark } from './commit-mark';

export async function markStreamRead(kernel: Kernel, by: User, streamId: number): Promise<void> {
  const { stream } = await commitMark(kernel, by, streamPacket(by, streamId));
  if (stream === null) throw invalidStreamId();
}

/** For changes of a user's subscriptions, in the same transaction. */
export async function markPlaceRead(tx: Tx, by: readMarks.Reader, recipientId: number): Promise<void> {
  const marked = await readMarks.markPlace(tx.db, by, recipientId);
  if (!marked) return;
  const place = { recipientId, topicId: null };
  const mark = { realmId: by.realmId, userId: by.id, range: { ...place, ...marked }, touched: [place] };
  sendLast(tx, mailboxes.readMarks, readMarkMail(mark));
}
