/**
 * EventQueue: one client's place in its organisation's log. It lies in Redis, so any node serves it, and ends in
 * silence.
 */
import { join } from 'node:path';
import { defineActor } from '../../../kernel/actor/actor';
import { redisKey, type Address } from '../../../kernel/actor/address';
import { scriptTurn } from '../../../kernel/actor/script-turn';
import type { QueueFilters } from '../../model/events/queue';
import type { UserId } from '../../model/users/user';

export interface StoredQueue {
  readonly userId: UserId;
  readonly filters: QueueFilters;
  /** The last event its initial state already tells of; ids count from there. */
  readonly base: number;
  readonly acked: number;
  /** Just before its first event that is not acknowledged: what lies below is of no interest. */
  readonly floor: number;
  /** Milliseconds that it lives in silence. */
  readonly life: number;
}

interface Touched extends Pick<StoredQueue, 'userId' | 'acked' | 'floor' | 'life'> {
  readonly id: string;
  /**
   * Whether it is to move up among its user's queues, of which the one that was not moved for the longest goes first.
   */
  readonly movesUp: boolean;
}

const MOST_OF_ONE_USER = 200;
/** Room for a client that is a little late; the promise is the expiry alone. */
const GRACE_MS = 30_000;
export const lifeOf = (expiryMs: number): number => expiryMs + GRACE_MS;

const KIND = 'queue';

const queuesOf = ({ userId }: { userId: UserId }, own: Address): Address[] => [
  { tenant: own.tenant, kind: 'queues-of', id: String(userId) },
];
const lua = (name: string) => join(__dirname, name);

export const eventQueue = defineActor(KIND, {
  register: scriptTurn<{ id: string; queue: StoredQueue; own: Address; longestMs: number }, string[]>({
    lua: lua('register.lua'),
    also: ({ queue }, own) => queuesOf(queue, own),
    values: ({ id, queue, longestMs, own }, { namespace }) => [
      queue.life,
      MOST_OF_ONE_USER,
      encodeURIComponent(id),
      `${redisKey(namespace, { ...own, id: '' })}:`,
      lifeOf(longestMs),
      ...Object.entries({ ...queue, filters: JSON.stringify(queue.filters) }).flat(),
    ],
    outcome: (reply) => (reply as string[]).map(decodeURIComponent),
  }),
  // Whoever touches one may touch others of the same organisation with it. Says of each whether it was there.
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
