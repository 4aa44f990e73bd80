/** EventLog: one tenant's events, a Redis stream that expires, an entry for each commit; numbers come from MySQL alone. */
import { join } from 'node:path';
import { defineActor } from '../actor/actor';
import type { Tenant } from '../actor/address';
import { scriptTurn } from '../actor/script-turn';
import type { EventsRow } from '../mysql/outbox-rows';
import { channelName } from '../redis/channel';

export interface NumberedEvent {
  readonly number: number;
  readonly body: string;
}

/** A row of the outbox as the log keeps it and as the nodes hear it: `number events record body`. */
export const textOfRow = ({ number, events, first_record: record, body }: EventsRow): string =>
  `${number} ${events} ${record ?? ''} ${body}`;

export function rowOfText(text: string): EventsRow {
  const toEvents = text.indexOf(' ');
  const toRecord = text.indexOf(' ', toEvents + 1);
  const toBody = text.indexOf(' ', toRecord + 1);
  const record = text.slice(toRecord + 1, toBody);
  return {
    number: Number(text.slice(0, toEvents)),
    events: Number(text.slice(toEvents + 1, toRecord)),
    first_record: record === '' ? null : Number(record),
    body: text.slice(toBody + 1),
  };
}

export type Published =
  | { readonly state: 'done' | 'gap'; readonly head: number; readonly isEndPutOff: boolean }
  | { readonly state: 'unknown' };

export const eventChannel = (tenant: Tenant): string => `log:${tenant}`;

export const eventLog = defineActor('log', {
  publish: scriptTurn<{ tenant: Tenant; endsInMs: number | null; rows: readonly EventsRow[] }, Published>({
    lua: join(__dirname, 'publish.lua'),
    pushes: true,
    besides: ['rows'],
    values: ({ tenant, endsInMs, rows }, { namespace }) => [
      endsInMs === null ? 0 : Math.max(1, Math.ceil(endsInMs / 1000)),
      channelName(namespace, eventChannel(tenant)),
      ...rows.flatMap((row) => [row.number - row.events, row.number, textOfRow(row)]),
    ],
    outcome(reply) {
      const [state, head = 0, putOff = 0] = reply as [number, number?, number?];
      if (state === -1) return { state: 'unknown' };
      return { state: state === 1 ? 'done' : 'gap', head, isEndPutOff: putOff === 1 };
    },
  }),
  begin: scriptTurn<number, number>({
    lua: join(__dirname, 'begin.lua'),
    values: (number) => [number],
    outcome: Number,
  }),
});
