/** Sends what waits in a conversation, one text after the other, on whichever worker holds its lease. */
import type { Address } from '../../kernel/actor/address';
import { Superseded } from '../../kernel/actor/fence';
import { Busy } from '../../kernel/actor/lease';
import { leaseMark } from '../../kernel/actor/lease-mark';
import { takeLeased, type TurnContext } from '../../kernel/actor/leased-turn';
import { Gate } from '../../kernel/gate';
import type { Kernel } from '../../kernel/kernel';
import { perKernel } from '../../kernel/per-kernel';
import type { ConversationOrder } from '../jobs';
import { companyTenant } from '../model/company';
import type { ConversationId } from '../model/texting';
import type { TelephonySettings } from '../settings';
import { nextOutbound } from '../store/text-sends';
import { handOver } from './hand-over-text';

/** Of one carrier's account in one process: one that hangs leaves slots for others. */
const MOST_CALLS = 20;
const CROWDED_MS = 200;

const sendingAddress = ({ companyId, conversationId }: ConversationOrder): Address => ({
  tenant: companyTenant(companyId),
  kind: 'sending',
  id: conversationId,
});

/**
 * Whoever finds the lease taken leaves a mark, and the holder looks once more. What has to wait is taken up by the sweep
 * when its time has come: jobs never wait, so a carrier that is away costs no polling.
 */
export async function sendWaitingTexts(
  kernel: Kernel,
  settings: TelephonySettings,
  order: ConversationOrder,
  draining: AbortSignal,
): Promise<void> {
  const address = sendingAddress(order);
  const mark = leaseMark(kernel, address);
  const take = () => takeLeased(kernel, address, draining, (turn) => sendAll(turn, settings));
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

class Crowded extends Busy {
  constructor() {
    super('many texts are on their way to this carrier', CROWDED_MS);
  }
}

const calling = perKernel(
  () =>
    new Gate({
      atOnce: Infinity,
      callerAtOnce: MOST_CALLS,
      waiting: 0,
      refusal: () => new Crowded(),
      refusedAtOnce: Infinity,
    }),
);

async function sendAll(turn: TurnContext, settings: TelephonySettings): Promise<void> {
  for (;;) {
    if (turn.isOver()) return;
    const next = await nextOutbound(turn.kernel.mysql, turn.address.id as ConversationId);
    if (!next) return;
    const account = { caller: next.carrierAccountId, address: '' };
    const came = await calling(turn.kernel).through(account, () => handOver(turn, settings, next));
    if (came === 'later') return;
  }
}
