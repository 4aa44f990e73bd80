/** Starts many pollers gradually, because each one's first poll authenticates in the database. */
import { setTimeout as wait } from 'node:timers/promises';
import { openFollower } from './follower';
import { openPoller, type Heard, type Poller, type PollerOptions } from './poller';

/** Polls that start together, and the pause after them. */
const RAMP = 10;
const RAMP_MS = 10;

export async function openPollers(
  polls: readonly PollerOptions[],
  subscribedBy: (at: number) => Heard,
): Promise<Poller[]> {
  const pollers: Poller[] = [];
  for (let at = 0; at < polls.length; at += RAMP) {
    const some = polls.slice(at, at + RAMP).map((poll, index) => {
      const open = poll.isStream ? openFollower : openPoller;
      return open(poll, subscribedBy(at + index));
    });
    await Promise.all(some.map(({ connected }) => connected));
    for (const poller of some) if (poller.isWaiting) poller.ask();
    pollers.push(...some);
    await wait(RAMP_MS);
  }
  return pollers;
}
