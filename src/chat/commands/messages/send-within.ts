/** Sends a message together with other changes: all of it is committed, or none. */
import type { Tx } from '../../../kernel/mysql/transaction';
import type { Draft } from '../../model/messages/draft';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import { asStreamChanged, ensureCounter, messagePacket, StreamChanged } from '../../store/messages/message-packet';
import { forgetStream, MAX_ATTEMPTS, prepareMessage, streamIsChanging, wakeForMessage } from './send-message';

/** `commit` runs a transaction, and calls `send` in it. It runs again if the stream changed meanwhile. */
export async function sendWithin(
  chat: Sending,
  by: User,
  draft: Draft,
  commit: (send: (tx: Tx) => void) => Promise<void>,
): Promise<void> {
  const { realmId } = by;
  await ensureCounter(chat.mysql, realmId);
  for (let tries = 1; ; tries += 1) {
    const { message, addressed } = await prepareMessage(chat, by, draft);
    try {
      await commit((tx) => {
        tx.writePacket(messagePacket(realmId, [message]), ([id]) => wakeForMessage(chat, realmId, id!, message));
      });
      return;
    } catch (error) {
      const meant = asStreamChanged(error);
      if (!(meant instanceof StreamChanged)) throw meant;
      if (tries === MAX_ATTEMPTS) throw streamIsChanging(meant);
      await forgetStream(chat.audiences, addressed, tries);
    }
  }
}
