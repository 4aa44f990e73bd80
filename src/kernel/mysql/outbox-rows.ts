/**
 * Rows of the outbox that hold several numbered events: those of one commit, which cost the database as much as one.
 * An event that names a record whose number only the commit knows has a gap for it, and what an event begins with is
 * left out where the one before it begins with the same.
 */

/** Bodies are JSON, in which none of these ever stands as it is. */
export const BETWEEN_EVENTS = '\u001E';
export const RECORD_GAP = '\u001F';
const LEAD_END = '\u001D';

/** An event in two parts, the first of which may be that of many. */
export interface LedEvent {
  readonly lead: string;
  readonly rest: string;
}

export interface EventsRow {
  /** Of the last of them. */
  readonly number: number;
  readonly events: number;
  /** What goes into the first event's gap; into the next one's goes the next number. */
  readonly first_record: number | null;
  readonly body: string;
}

export const EVENTS_ROW = ['number', 'events', 'first_record', 'body'] as const;

/** The body of a row that holds all of them. */
export function bodyOf(events: readonly LedEvent[]): string {
  let before = '';
  let body = '';
  for (const [index, { lead, rest }] of events.entries()) {
    if (index > 0) body += BETWEEN_EVENTS;
    // Without a lead an event has none, not that of the one before.
    if (lead !== '') body += lead === before ? LEAD_END : lead + LEAD_END;
    if (lead !== '') before = lead;
    body += rest;
  }
  return body;
}

/** Each event of the rows with its own number, in order. */
export function eventsIn(rows: readonly EventsRow[]): { number: number; body: string }[] {
  return rows.flatMap(({ number, events, first_record: record, body }) =>
    textsIn(body).map((text, index) => ({
      number: number - events + 1 + index,
      body: record === null ? text : withRecord(text, record + index),
    })),
  );
}

function textsIn(body: string): string[] {
  let lead = '';
  return body.split(BETWEEN_EVENTS).map((text) => {
    const end = text.indexOf(LEAD_END);
    if (end === -1) return text;
    if (end > 0) lead = text.slice(0, end);
    return lead + text.slice(end + 1);
  });
}

const withRecord = (text: string, record: number): string => text.replace(RECORD_GAP, String(record));
