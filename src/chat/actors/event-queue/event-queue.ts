/**
 * EventQueue: one client's position in its organisation's event log. Redis holds the queue, so any node can serve it. A
 * queue expires when its client stops polling.
 */
import { join } from 'node:path';
import { defineActor, scriptTurn } from '../../../kernel/actor/actor';
import { redisKey, type Address } from '../../../kernel/actor/address';
import type { QueueFilters } from '../../model/events/queue';
import type { UserId } from '../../model/users/user';

export interface StoredQueue {
  readonly userId: UserId;
  readonly filters: QueueFilters;
  /** The queue's event ids count from this position: that of the last event in the initial state, or -1. */
  readonly base: number;
  readonly acked: number;
  /** Position just before the first unacknowledged event for this queue. Entries up to here can be skipped. */
  readonly floor: number;
  /** The queue expires after this many milliseconds without a touch. */
  readonly life: number;
}

interface Touched extends Pick<StoredQueue, 'userId' | 'acked' | 'floor' | 'life'> {
  readonly id: string;
  /** Whether to refresh its rank among its user's queues. Over the limit, the lowest-ranked queue is evicted. */
  readonly movesUp: boolean;
}

const MAX_OF_ONE_USER = 200;
/** Slack for a client that is a little late. Clients are promised only the expiry without it. */
const GRACE_MS = 30_000;
export const lifeOf = (expiryMs: number): number => expiryMs + GRACE_MS;

const KIND = 'queue';

const queuesOf = ({ userId }: { userId: UserId }, own: Address): Address[] => [
  { tenant: own.tenant, kind: 'queues-of', id: String(userId) },
];
const lua = (name: string) => join(__dirname, name);

export const eventQueue = defineActor(KIND, {
  register: scriptTurn<{ id: string; queue: StoredQueue; own: Address; maxMs: number }, string[]>({
    lua: lua('register.lua'),
    also: ({ queue }, own) => queuesOf(queue, own),
    values: ({ id, queue, maxMs, own }, { namespace }) => [
      queue.life,
      MAX_OF_ONE_USER,
      encodeURIComponent(id),
      `${redisKey(namespace, { ...own, id: '' })}:`,
      lifeOf(maxMs),
      ...Object.entries({ ...queue, filters: JSON.stringify(queue.filters) }).flat(),
    ],
    outcome: (reply) => (reply as string[]).map(decodeURIComponent),
  }),
  // Touches one queue, and others of the same organisation along with it. Returns for each whether it still exists.
  touch: scriptTurn<{ own: Touched; others: readonly Touched[] }, boolean[]>({
    lua: lua('touch.lua'),
    also: ({ own, others }, address) => [
      ...queuesOf(own, address),
      ...others.flatMap((other) => [{ ...address, id: other.id }, ...queuesOf(other, address)]),
    ],
    values: ({ own, others }) =>
      [own, ...others].flatMap(({ id, life, acked, floor, movesUp }) => [
        life,
        acked,
        floor,
        movesUp ? encodeURIComponent(id) : '',
      ]),
    outcome: (reply) => (reply as number[]).map(Boolean),
  }),
  drop: scriptTurn<{ userId: UserId; id: string }, boolean>({
    lua: lua('drop.lua'),
    also: queuesOf,
    values: ({ id }) => [encodeURIComponent(id)],
    outcome: (reply) => reply === 1,
  }),
  read: scriptTurn<null, StoredQueue | undefined>({
    lua: lua('read.lua'),
    values: () => [],
    outcome(reply) {
      const pairs = reply as string[];
      if (pairs.length === 0) return undefined;
      const fields = Object.fromEntries(pairs.flatMap((name, index) => (index % 2 ? [] : [[name, pairs[index + 1]!]])));
      return {
        userId: Number(fields['userId']) as UserId,
        filters: JSON.parse(fields['filters']!) as QueueFilters,
        base: Number(fields['base']),
        acked: Number(fields['acked']),
        floor: Number(fields['floor']),
        life: Number(fields['life']),
      };
    },
  }),
});
