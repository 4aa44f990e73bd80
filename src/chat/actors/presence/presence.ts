/** Presence: which users were recently active or idle, and in which client. Redis holds it, and it expires. */
import { join } from 'node:path';
import { defineActor, scriptTurn } from '../../../kernel/actor/actor';
import type { PresenceStatus, Report } from '../../model/users/presence';
import type { UserId } from '../../model/users/user';

/** Two weeks, as clients expect. */
const KEPT_SECONDS = 14 * 86_400;
/** Clients report once a minute. */
const STALE_SECONDS = 70;
/** More client names than this are not genuine. */
const MAX_CLIENTS = 20;

export const presence = defineActor('presence', {
  /** `isNews` tells whether to publish an event. Of concurrent reports, only one gets true. */
  report: scriptTurn<{ userId: UserId; client: string; status: PresenceStatus }, Report & { isNews: boolean }>({
    lua: join(__dirname, 'report.lua'),
    besides: ['seen'],
    values: ({ userId, client, status }) => [userId, client, status, KEPT_SECONDS, STALE_SECONDS, MAX_CLIENTS],
    outcome(reply) {
      const [news, status, timestamp] = reply as [number, PresenceStatus, number];
      return { isNews: news === 1, status, timestamp };
    },
  }),
  /** Presence of one user, or of all users if null. */
  read: scriptTurn<UserId | null, Map<UserId, Record<string, Report>>>({
    lua: join(__dirname, 'read.lua'),
    values: (userId) => [userId ?? ''],
    outcome(reply) {
      const pairs = reply as string[];
      const people = new Map<UserId, Record<string, Report>>();
      for (let at = 0; at < pairs.length; at += 2) people.set(Number(pairs[at]) as UserId, clientsOf(pairs[at + 1]!));
      return people;
    },
  }),
});

function clientsOf(json: string): Record<string, Report> {
  const clients = JSON.parse(json) as Record<string, [PresenceStatus, number]>;
  return Object.fromEntries(
    Object.entries(clients).map(([client, [status, timestamp]]) => [client, { status, timestamp }]),
  );
}
