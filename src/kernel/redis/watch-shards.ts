/** Notices that a primary of a Redis Cluster was replaced, and that a listener is at a server that is gone or frozen. */
import type { Cluster, Redis } from 'ioredis';
import { withDeadline } from '../deadline';
import { ownersIn } from './cluster';

const EVERY_MS = 1000;

export interface ShardWatch {
  readonly deadlineMs: number;
  /** Subscriber connections of this process, each at any one node. */
  readonly listeners: () => readonly Redis[];
  /** A primary became reachable or was replaced: its data may be older than our writes. */
  readonly onNew: () => void;
}

/** Call it when the cluster is ready. The returned function ends it. */
export function watchShards(shards: Cluster, { deadlineMs, listeners, onNew }: ShardWatch): () => void {
  let owners = ownersIn(shards);
  let hasEnded = false;
  /** Listeners that were not ready at the last check. */
  let late = new Set<Redis>();
  const known = new WeakSet<Redis>();

  function follow(primary: Redis): void {
    if (known.has(primary)) return;
    known.add(primary);
    if (primary.status !== 'ready') primary.on('ready', onNew);
    // A command would connect it too, but only one command at a time may wait for that.
    if (primary.status === 'wait') primary.connect().catch(() => {});
  }

  shards.on('refresh', () => {
    if (hasEnded) return;
    shards.nodes('master').forEach(follow);
    const now = ownersIn(shards);
    if (now !== owners) onNew();
    owners = now;
  });

  /** A listener on a frozen node gets nothing and does not notice. */
  function lookAtListeners(): void {
    const now = new Set<Redis>();
    for (const listener of listeners()) {
      if (listener.status === 'ready') {
        const leave = () => listener.status === 'ready' && listener.disconnect(true);
        withDeadline('Redis', deadlineMs, listener.ping()).catch(leave);
      } else if (listener.status === 'connect') {
        // The node accepted the connection but does not answer.
        if (late.has(listener)) listener.disconnect(true);
        else now.add(listener);
      }
    }
    late = now;
  }

  shards.nodes('master').forEach(follow);
  const timer = setInterval(lookAtListeners, EVERY_MS);
  return () => {
    hasEnded = true;
    clearInterval(timer);
  };
}
