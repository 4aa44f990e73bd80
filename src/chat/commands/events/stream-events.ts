/** The same events over one connection that stays: for clients that would rather not poll. */
import { MOST_STREAMED_CHARACTERS } from '../../model/events/queue';
import { findReader } from '../../queries/events/find-reader';
import type { PollTimes } from './client-poll';
import { pollQueue, type Caller, type Poll } from './poll-queue';

const idOf = (event: string): number => Number(/"id":(-?\d+)/.exec(event)?.[1]);

/**
 * Server-sent events. It is pulled by the connection, so a client that does not read costs nothing but its socket. What was
 * sent is not acknowledged before the client comes back and names the last it has seen.
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
    const next = { ...poll, dontBlock: false, sentId, mostCharacters: MOST_STREAMED_CHARACTERS };
    const events = await pollQueue({ ...caller, by: reader }, next, times, () => signal);
    for (const event of events) {
      // A slow client may have lost the right to it since it was gathered. The stream ends; the client comes back.
      if (!mayRead()) return;
      sentId = idOf(event);
      yield `id: ${sentId}\ndata: ${event}\n\n`;
    }
    // Another connection has taken the queue over, or the client has to show who it is again.
    if (events.length === 0 || !mayRead()) return;
  }
}
