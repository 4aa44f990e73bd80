/** The same events over one connection that stays: for clients that would rather not poll. */
import type { Kernel } from '../../kernel/kernel';
import type { User } from '../model/user';
import { pollQueue, type Poll } from './poll-queue';

const idOf = (event: string): number => Number(/"id":(-?\d+)/.exec(event)?.[1]);

/**
 * Server-sent events. It is pulled by the connection, so a client that does not read costs nothing but its socket. What was
 * sent is not acknowledged before the client comes back and names the last it has seen.
 */
export async function* streamEvents(kernel: Kernel, by: User, poll: Poll, signal: AbortSignal): AsyncGenerator<string> {
  yield ': events follow\n\n';
  for (let sentId = poll.lastEventId; !signal.aborted;) {
    const events = await pollQueue(kernel, by, { ...poll, dontBlock: false, sentId }, () => signal);
    for (const event of events) {
      sentId = idOf(event);
      yield `id: ${sentId}\ndata: ${event}\n\n`;
    }
    // Another connection has taken the queue over.
    if (events.length === 0) return;
  }
}
