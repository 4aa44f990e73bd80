/** Hands texts to carriers, one conversation at a time and in its order. Any number of workers may run it. */
import type { Config } from '../config';
import { consume, type Consumer } from '../src/kernel/jobs/consume';
import { publicUrlOf } from '../src/products';
import { sendWaitingTexts } from '../src/telephony/commands/send-waiting-texts';
import { sendTexts, type ConversationOrder } from '../src/telephony/jobs';

/** Enough for several carriers that hang at the same time: each may hold a fifth of them, until its breaker opens. */
const CONCURRENCY = 100;

export function textingOutbound(config: Config): Consumer<ConversationOrder, void> {
  const settings = { ...config, publicUrl: publicUrlOf(config) };
  return consume(sendTexts, {
    concurrency: CONCURRENCY,
    run: (kernel, order, { signal }) => sendWaitingTexts(kernel, settings, order, signal),
  });
}
