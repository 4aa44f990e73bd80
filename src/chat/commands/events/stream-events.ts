/** Streams a queue's events over one long-lived connection, for clients that prefer not to poll. */
import { MAX_STREAMED_CHARACTERS } from '../../model/events/queue';
import { findReader } from '../../queries/events/find-reader';
import type { PollTimes } from './client-poll';
import { pollQueue, type Caller, type Poll } from './poll-queue';

const idOf = (event: string): number => Number(/"id":(-?\d+)/.exec(event)?.[1]);

/**
 * Server-sent events. The connection pulls them, so a client that does not read costs only its socket. Sent events
 * count as acknowledged only when the client reconnects and names the last one it has seen.
 */
export async function* streamEvents(
  caller: Caller,
  poll: Poll,
  times: PollTimes,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { chat } = caller;
  const reader = await findReader(chat, caller.by);
  const mayRead = () => chat.changedUsers.isCurrent(reader);
  yield ': events follow\n\n';
  for (let sentId = poll.lastEventId; !signal.aborted;) {
    const next = { ...poll, dontBlock: false, sentId, maxCharacters: MAX_STREAMED_CHARACTERS };
    const events = await pollQueue({ ...caller, by: reader }, next, times, () => signal);
    for (const event of events) {
      // A slow client may have lost access since the events were collected. The stream ends and the client reconnects.
      if (!mayRead()) return;
      sentId = idOf(event);
      yield `id: ${sentId}\ndata: ${event}\n\n`;
    }
    // Another connection has taken over the queue, or the client must authenticate again.
    if (events.length === 0 || !mayRead()) return;
  }
}
