/** Sends what waits in a conversation, one text after the other, on whichever worker holds its lease. */
import type { Address } from '../../kernel/actor/address';
import { Superseded } from '../../kernel/actor/fence';
import { Busy } from '../../kernel/actor/lease';
import { leaseMark } from '../../kernel/actor/lease-mark';
import { takeLeased, type TurnContext } from '../../kernel/actor/leased-turn';
import { Crowded } from '../actors/texts-under-way';
import type { ConversationOrder } from '../jobs';
import { companyTenant } from '../model/company';
import type { ConversationId } from '../model/texting';
import type { Telephony } from '../parts';
import { nextOutbound } from '../store/text-sends';
import { handOver } from './hand-over-text';

const sendingAddress = ({ companyId, conversationId }: ConversationOrder): Address => ({
  tenant: companyTenant(companyId),
  kind: 'sending',
  id: conversationId,
});

/**
 * Whoever finds the lease taken leaves a mark, and the holder looks once more. A text that a carrier could not take has a
 * delayed job for its next try. The sweep takes up what else has to wait, so a carrier that is away costs no polling.
 */
export async function sendWaitingTexts(
  telephony: Telephony,
  order: ConversationOrder,
  draining: AbortSignal,
): Promise<void> {
  const { kernel } = telephony;
  const address = sendingAddress(order);
  const mark = leaseMark(kernel, address);
  const take = () => takeLeased(kernel, address, draining, (turn) => sendAll(telephony, turn));
  try {
    await take().catch(async (error: unknown) => {
      if (!(error instanceof Busy) || error instanceof Crowded) throw error;
      await mark.leave();
      await take();
    });
    while (await mark.take()) await take();
  } catch (error) {
    // A newer turn has begun, or is under way: it does the rest.
    const isElsewhere = error instanceof Superseded || (error instanceof Busy && !(error instanceof Crowded));
    if (!isElsewhere) throw error;
  }
}

async function sendAll(telephony: Telephony, turn: TurnContext): Promise<void> {
  for (;;) {
    if (turn.isOver()) return;
    const next = await nextOutbound(turn.kernel.mysql, turn.address.id as ConversationId);
    if (!next) return;
    const account = { caller: next.carrierAccountId, address: '' };
    const came = await telephony.textsUnderWay.through(account, () => handOver(telephony, turn, next));
    if (came === 'later') return;
  }
}
