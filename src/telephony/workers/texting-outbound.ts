/** Hands texts to carriers, one conversation at a time and in its order. Any number of workers may run it. */
import { consume, type Consumer } from '../../kernel/jobs/consume';
import { sendWaitingTexts } from '../commands/send-waiting-texts';
import { sendTexts, type ConversationOrder } from '../jobs';
import type { Telephony } from '../parts';

/** Enough for several carriers that hang at the same time: each may hold a fifth of them, until its breaker opens. */
const CONCURRENCY = 100;

export const textingOutbound = (telephony: Telephony): Consumer<ConversationOrder, void> =>
  consume(sendTexts, {
    concurrency: CONCURRENCY,
    run: (_kernel, order, { signal }) => sendWaitingTexts(telephony, order, signal),
  });
