/** EventLog: one tenant's events as an expiring Redis stream, one entry per commit. Only MySQL assigns numbers. */
import { join } from 'node:path';
import { defineActor, scriptTurn } from '../actor/actor';
import type { Tenant } from '../actor/address';
import { channelName } from '../redis/channel';
import { BESIDE_LOG, encodeRow, type EventsRow } from './codec';
import { ROOM } from './position';

export type Published =
  | { readonly state: 'done' | 'gap'; readonly head: number; readonly isEndPutOff: boolean }
  | { readonly state: 'unknown' };

/** How a push beside the log ended: at a position, or not, because of no room before the next number or no known log. */
export type Pushed = 'pushed' | 'full' | 'unknown';

/** Redis forgets the last index of a log after this time without a push. Every queue that waits is pushed to sooner. */
const INDEX_KEPT_SECONDS = 86_400;

export const eventChannel = (tenant: Tenant): string => `log:${tenant}`;

export const eventLog = defineActor('log', {
  publish: scriptTurn<{ tenant: Tenant; endsInMs: number | null; rows: readonly EventsRow[] }, Published>({
    lua: join(__dirname, 'publish.lua'),
    pushes: true,
    besides: ['rows'],
    values: ({ tenant, endsInMs, rows }, { namespace }) => [
      endsInMs === null ? 0 : Math.max(1, Math.ceil(endsInMs / 1000)),
      channelName(namespace, eventChannel(tenant)),
      ...rows.flatMap((row) => [row.number - row.events, row.number, encodeRow(row)]),
    ],
    outcome(reply) {
      const [state, head = 0, putOff = 0] = reply as [number, number?, number?];
      if (state === -1) return { state: 'unknown' };
      return { state: state === 1 ? 'done' : 'gap', head, isEndPutOff: putOff === 1 };
    },
  }),
  push: scriptTurn<{ tenant: Tenant; body: string; after: number }, Pushed>({
    lua: join(__dirname, 'push.lua'),
    pushes: true,
    besides: ['beside'],
    values: ({ tenant, body, after }, { namespace }) => [
      channelName(namespace, eventChannel(tenant)),
      BESIDE_LOG,
      ROOM,
      after,
      INDEX_KEPT_SECONDS,
      body,
    ],
    outcome: (reply) => (['unknown', 'full', 'pushed'] as const)[Number(reply)]!,
  }),
  begin: scriptTurn<number, number>({
    lua: join(__dirname, 'begin.lua'),
    values: (number) => [number],
    outcome: Number,
  }),
});
