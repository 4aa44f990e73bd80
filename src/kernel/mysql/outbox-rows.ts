/**
 * Rows of the outbox that hold several numbered events: those of one commit, which cost the database as much as one.
 * An event that names a record whose number only the commit knows has a gap for it.
 */

/** Bodies are JSON, in which neither ever stands as it is. */
export const BETWEEN_EVENTS = '\u001E';
export const RECORD_GAP = '\u001F';

export interface EventsRow {
  /** Of the last of them. */
  readonly number: number;
  readonly events: number;
  /** What goes into the first event's gap; into the next one's goes the next number. */
  readonly first_record: number | null;
  readonly body: string;
}

export const EVENTS_ROW = ['number', 'events', 'first_record', 'body'] as const;

/** Each event of the rows with its own number, in order. */
export function eventsIn(rows: readonly EventsRow[]): { number: number; body: string }[] {
  return rows.flatMap(({ number, events, first_record: record, body }) => {
    if (events === 1 && record === null) return [{ number, body }];
    return body.split(BETWEEN_EVENTS).map((each, index) => ({
      number: number - events + 1 + index,
      body: record === null ? each : withRecord(each, record + index),
    }));
  });
}

export const withRecord = (body: string, record: number): string => body.replace(RECORD_GAP, String(record));
