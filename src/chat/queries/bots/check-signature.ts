/** Checks that a delivery is signed as its bot requires. */
import { isGenuine, type SignedDelivery } from '../../integrations/signatures';
import { invalidSignature } from '../../model/faults';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as botSignatures from '../../store/bots/bot-signatures';

/** Applies to every integration in the URL: otherwise an unsigned integration would bypass the check. */
export async function checkSignature(chat: Chat, bot: User, delivery: Omit<SignedDelivery, 'now'>): Promise<void> {
  const { mysql, secrets, clock } = chat.kernel;
  const wanted = await chat.botSignatures.get(bot.id, () => botSignatures.find(mysql, secrets, bot.id));
  if (wanted === null) return;
  const { scheme, secret } = wanted;
  const { bytes } = delivery;
  if (isGenuine(scheme, secret, { bytes, now: clock.now(), header: (name) => delivery.header(name) })) return;
  chat.refusedSignatures({ scheme });
  throw invalidSignature();
}
