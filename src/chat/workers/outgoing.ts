/** Tells the programs of outgoing webhook bots of messages. One turn per bot at a time, so that no bot delays another. */
import { callOutgoingBot } from '../commands/call-outgoing-bot';
import { sweepOutgoing, wakeIfWaiting } from '../commands/wake-outgoing';
import { callBot } from '../jobs';
import type { Chat } from '../parts';
import { consume } from '../../kernel/jobs/consume';
import { defineJob } from '../../kernel/jobs/job';

/** A turn mostly waits for the program of its bot. */
export const chatOutgoing = (chat: Chat) =>
  consume(callBot, {
    concurrency: 32,
    run: (_kernel, bot, { signal }) => callOutgoingBot(chat, { ...bot, signal }),
    after: (kernel, bot) => wakeIfWaiting(kernel, bot),
  });

const sweep = defineJob<null>('chat-outgoing-sweep', { attempts: 1, backoffMs: 1000 });

/** Wakes bots whose calls no worker looks at, because Redis was away or a worker died. */
export const chatOutgoingSweep = (chat: Chat) =>
  consume(sweep, {
    concurrency: 1,
    schedule: ({ sweepAfterMs }) => ({ everyMs: sweepAfterMs, payload: null }),
    run: () => sweepOutgoing(chat),
  });
