/** What a node remembers of where organisations are. Forgotten when one is founded or moved, on every node. */
import type { Kernel } from '../../kernel/kernel';
import { KeptAnswers } from '../../kernel/kept-answers';
import { perKernel } from '../../kernel/per-kernel';
import { channelName } from '../../kernel/redis/channel';
import type { Place, RealmAddress } from '../model/address';
import type { RealmId } from '../model/realm';

/** Should word of a change not arrive, this is how long the old addresses last. Anybody may ask for hosts that are none. */
const KEPT = { keptMs: 60_000, most: 10_000, bytes: 4 * 1024 * 1024 };
const CHANNEL = 'chat-organisations';

export const keptPlaces = perKernel(() => new KeptAnswers<string, Place>(KEPT));
export const keptAddresses = perKernel(() => new KeptAnswers<RealmId, RealmAddress>(KEPT));

function forget(kernel: Kernel): void {
  keptPlaces(kernel).forgetAll();
  keptAddresses(kernel).forgetAll();
}

/** Not waited for: a node can serve without it. */
export function listenForMoves(kernel: Kernel): void {
  const forgetHere = () => forget(kernel);
  kernel.channel
    .listen(CHANNEL, { receive: forgetHere, resumed: forgetHere })
    .catch((error: Error) => kernel.log.debug({ error }, 'cannot hear of organisations that move'));
}

/** For whoever has committed a change. */
export async function announceMove(kernel: Kernel): Promise<void> {
  forget(kernel);
  try {
    await kernel.redis.commands.publish(channelName(kernel.namespace, CHANNEL), '');
  } catch (error) {
    kernel.log.warn({ error }, 'other nodes hear of a moved organisation only in a minute');
  }
}
