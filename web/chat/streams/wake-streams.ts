/** A stream that had no message for half a year is active again when one arrives. The server says so only at registration. */
import type { ChatState } from '../data/store';
import type { Message } from '../data/wire';

export function wakeStreams(
  { subscriptions }: ChatState,
  received: readonly Message[],
): Pick<ChatState, 'subscriptions'> {
  let awake = subscriptions;
  for (const { stream_id: id } of received) {
    const own = id === undefined ? undefined : awake.get(id);
    if (own?.is_recently_active === false) {
      awake = new Map(awake).set(own.stream_id, { ...own, is_recently_active: true });
    }
  }
  return { subscriptions: awake };
}
