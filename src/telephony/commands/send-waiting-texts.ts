/** Sends what waits in a conversation, one text after the other, on whichever worker holds its lease. */
import { redisKey, type Address } from '../../kernel/actor/address';
import { Superseded } from '../../kernel/actor/fence';
import { Busy } from '../../kernel/actor/lease';
import { takeLeased, type TurnContext } from '../../kernel/actor/leased-turn';
import type { Kernel } from '../../kernel/kernel';
import { perKernel } from '../../kernel/per-kernel';
import type { ConversationOrder } from '../jobs';
import { companyTenant } from '../model/company';
import type { CarrierAccountId, ConversationId } from '../model/texting';
import type { TelephonySettings } from '../settings';
import { nextOutbound, type NextOutbound } from '../store/text-sends';
import { handOver, type HandedOver } from './hand-over-text';

/** Longer than any turn. */
const MARK_MS = 600_000;
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
  const mark = `${redisKey(kernel.namespace, address)}:more`;
  const take = () => takeLeased(kernel, address, draining, (turn) => sendAll(turn, settings));
  try {
    await take().catch(async (error: unknown) => {
      if (!(error instanceof Busy) || error instanceof Crowded) throw error;
      await kernel.redis.commands.set(mark, '1', 'PX', MARK_MS);
      // The holder may have looked just before the mark was there.
      await take();
    });
    while ((await kernel.redis.commands.getdel(mark)) !== null) await take();
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

const calling = perKernel(() => new Map<CarrierAccountId, number>());

async function sendAll(turn: TurnContext, settings: TelephonySettings): Promise<void> {
  for (;;) {
    if (turn.isOver()) return;
    const next = await nextOutbound(turn.kernel.mysql, turn.address.id as ConversationId);
    if (!next) return;
    if ((await withRoom(turn, next, () => handOver(turn, settings, next))) === 'later') return;
  }
}

async function withRoom(
  { kernel }: TurnContext,
  { carrierAccountId: id }: NextOutbound,
  work: () => Promise<HandedOver>,
): Promise<HandedOver> {
  const own = calling(kernel);
  const before = own.get(id) ?? 0;
  if (before >= MOST_CALLS) throw new Crowded();
  own.set(id, before + 1);
  try {
    return await work();
  } finally {
    const left = (own.get(id) ?? 1) - 1;
    if (left > 0) own.set(id, left);
    else own.delete(id);
  }
}
