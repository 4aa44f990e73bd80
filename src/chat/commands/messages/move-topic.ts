/** Moves a message to another topic, and if requested the related messages with it. */
import type { Kernel } from '../../../kernel/kernel';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { Message } from '../../model/messages/message';
import type { PropagateMode } from '../../model/messages/revision';
import * as moves from '../../store/messages/topic-moves';

/** Zulip looks back this far. */
const WEEK_SECONDS = 7 * 86_400;

/** Returns the ids of all moved messages, the message itself first. */
export async function moveTopic(
  tx: Tx,
  kernel: Kernel,
  message: Message,
  { mode, ...to }: moves.Destination & { readonly mode: PropagateMode },
): Promise<number[]> {
  const ids = [message.id, ...(await findOthers(tx, message, mode, kernel.clock.now()))];
  await moves.move(tx.db, message, ids, to);
  return ids;
}

async function findOthers(tx: Tx, message: Message, mode: PropagateMode, now: Date): Promise<number[]> {
  switch (mode) {
    case 'change_one':
      return [];
    case 'change_later':
      return moves.lockOthers(tx.db, message, { afterId: message.id, since: 0 });
    case 'change_all':
      return moves.lockOthers(tx.db, message, {
        afterId: 0,
        since: Math.floor(now.getTime() / 1000) - WEEK_SECONDS,
      });
  }
}
