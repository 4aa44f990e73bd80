/** Rows of the outbox that hold several numbered events: those of one commit, which cost the database as much as one. */

/** Bodies are JSON, in which it never stands as it is. */
export const BETWEEN_EVENTS = '\u001E';

export interface EventsRow {
  /** Of the last of them. */
  readonly number: number;
  readonly events: number;
  readonly body: string;
}

/** Each event of the rows with its own number, in order. */
export function eventsIn(rows: readonly EventsRow[]): { number: number; body: string }[] {
  return rows.flatMap(({ number, events, body }) => {
    if (events === 1) return [{ number, body }];
    return body.split(BETWEEN_EVENTS).map((each, index) => ({ number: number - events + 1 + index, body: each }));
  });
}
