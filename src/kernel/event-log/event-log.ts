/** EventLog: one tenant's events in commit order, a Redis stream that expires; its numbers come from MySQL alone. */
import { join } from 'node:path';
import { defineActor } from '../actor/actor';
import type { Tenant } from '../actor/address';
import { scriptTurn } from '../actor/script-turn';
import { channelName } from '../redis/channel';

export interface NumberedEvent {
  readonly number: number;
  readonly body: string;
}

export type Published =
  | { readonly state: 'done'; readonly head: number }
  | { readonly state: 'gap'; readonly head: number }
  | { readonly state: 'unknown' };

export const eventChannel = (tenant: Tenant): string => `log:${tenant}`;

export const eventLog = defineActor('log', {
  publish: scriptTurn<{ tenant: Tenant; windowMs: number; events: readonly NumberedEvent[] }, Published>({
    lua: join(__dirname, 'publish.lua'),
    besides: ['entries'],
    values: ({ tenant, windowMs, events }, { namespace }) => [
      Math.max(1, Math.ceil(windowMs / 1000)),
      channelName(namespace, eventChannel(tenant)),
      ...events.flatMap(({ number, body }) => [number, body]),
    ],
    outcome(reply) {
      const [state, head = 0] = reply as [number, number?];
      if (state === -1) return { state: 'unknown' };
      return { state: state === 1 ? 'done' : 'gap', head };
    },
  }),
  begin: scriptTurn<number, number>({
    lua: join(__dirname, 'begin.lua'),
    values: (number) => [number],
    outcome: Number,
  }),
});
