/** EventLog: one tenant's events in commit order, a Redis stream that expires; its numbers come from MySQL alone. */
import { join } from 'node:path';
import { defineActor } from '../actor/actor';
import type { Tenant } from '../actor/address';
import { scriptTurn } from '../actor/script-turn';
import { eventsIn, type EventsRow } from '../mysql/outbox-rows';
import { channelName } from '../redis/channel';

export interface NumberedEvent {
  readonly number: number;
  readonly body: string;
}

/** What is pushed to the nodes: one event, or a row of the outbox that holds several. */
export interface Push {
  readonly first: number;
  readonly last: number;
  events(this: void): readonly NumberedEvent[];
}

/** `number body`, or `first-last@record body`. */
export function readPush(message: string): Push {
  const blank = message.indexOf(' ');
  const [numbers = '', record = ''] = message.slice(0, blank).split('@');
  const [first, last = first] = numbers.split('-').map(Number) as [number, number?];
  return {
    first,
    last,
    events() {
      const body = message.slice(blank + 1);
      if (last === first) return [{ number: first, body }];
      const firstRecord = record === '' ? null : Number(record);
      return eventsIn([{ number: last, events: last - first + 1, first_record: firstRecord, body }]);
    },
  };
}

export type Published =
  | { readonly state: 'done'; readonly head: number }
  | { readonly state: 'gap'; readonly head: number }
  | { readonly state: 'unknown' };

export const eventChannel = (tenant: Tenant): string => `log:${tenant}`;

export const eventLog = defineActor('log', {
  publish: scriptTurn<{ tenant: Tenant; windowMs: number; rows: readonly EventsRow[] }, Published>({
    lua: join(__dirname, 'publish.lua'),
    besides: ['entries'],
    values: ({ tenant, windowMs, rows }, { namespace }) => [
      Math.max(1, Math.ceil(windowMs / 1000)),
      channelName(namespace, eventChannel(tenant)),
      ...rows.flatMap(({ number, events, first_record: record, body }) => [number, events, record ?? '', body]),
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
