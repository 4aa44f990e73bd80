/** One subscriber connection per process. A push may be lost; after a gap, listeners are told to compare numbers. */
import type { Redis } from 'ioredis';
import type { Log } from '../log';

export interface Listener {
  /** Gets a published message. It runs in the connection's own event, so keep it short. */
  receive(message: string): void;
  /** The subscription was interrupted and stands again; messages published meanwhile are lost. */
  resumed(): void;
}

export interface Channel {
  /** Resolves once the subscription stands; the returned function ends it. */
  listen(name: string, listener: Listener): Promise<() => Promise<void>>;
}

export function openChannel(subscriber: Redis, namespace: string, log: Log): Channel {
  const listeners = new Map<string, Set<Listener>>();
  let connectedBefore = subscriber.status === 'ready';

  subscriber.on('message', (name: string, message: string) => {
    for (const listener of listeners.get(name) ?? []) listener.receive(message);
  });
  subscriber.on('ready', () => {
    if (!connectedBefore) {
      connectedBefore = true;
      return;
    }
    // ioredis resubscribes right after "ready"; one round trip later all subscriptions stand.
    const resubscribed = listeners.size === 0 ? Promise.resolve() : subscriber.subscribe(...listeners.keys());
    resubscribed.then(
      () => {
        for (const set of listeners.values()) for (const listener of set) listener.resumed();
      },
      (error: Error) => log.debug({ error }, 'could not subscribe again; the next connection will try again'),
    );
  });

  return {
    async listen(name, listener) {
      const channel = channelName(namespace, name);
      const set = listeners.get(channel) ?? new Set();
      listeners.set(channel, set.add(listener));
      await subscriber.subscribe(channel);
      return async () => {
        set.delete(listener);
        if (set.size > 0 || listeners.get(channel) !== set) return;
        listeners.delete(channel);
        await subscriber.unsubscribe(channel);
      };
    },
  };
}

export function channelName(namespace: string, name: string): string {
  return `${namespace}:channel:${name}`;
}
