/**
 * The one codec for the text of events, as rows of the outbox hold it, as Redis keeps it and as nodes push it.
 *
 * A row holds the numbered events of one commit, which cost the database as much as one. An event that names a record
 * whose number only the commit knows has a gap for it. What an event begins with is left out where the event before it
 * begins with the same.
 *
 * In Redis a row is `mark number events record body`. The mark says the version. Text of a version that this release does
 * not know is refused: a release must be able to read a version before any release writes it.
 */

/** Bodies are JSON, in which none of these ever stands as it is. */
export const BETWEEN_EVENTS = '\u001E';
export const RECORD_GAP = '\u001F';
const LEAD_END = '\u001D';
/** A body of a later version begins with this. Bodies of versions 0 and 1 are the same and have no mark. */
const LATER_BODY = '\u001C';

/**
 * The mark of version 1. Version 0 had none: its text begins with a digit. The release that wrote version 0 may still
 * run beside this one; it reads the number by `Number`, which skips white space, and so reads version 1 as well.
 */
const VERSION_1 = '\t';

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

export interface NumberedEvent {
  readonly number: number;
  readonly body: string;
}

/** A row of the outbox as the codec takes it. */
export const eventsRow = ({ number, events = 1, first_record = null, body }: NumberedRow): EventsRow => ({
  number: number!,
  events,
  first_record,
  body,
});

type NumberedRow = Partial<Omit<EventsRow, 'number'>> & { readonly number: number | null; readonly body: string };

export const EVENTS_ROW = ['number', 'events', 'first_record', 'body'] as const;

/** The body of a row that holds all of the events. */
export function encodeBody(events: readonly LedEvent[]): string {
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

/** Each event of a row with its own number, in order; undefined where the body is of an unknown version. */
export function decodeEvents({ number, events, first_record: record, body }: EventsRow): NumberedEvent[] | undefined {
  if (body.startsWith(LATER_BODY)) return undefined;
  return textsIn(body).map((text, index) => ({
    number: number - events + 1 + index,
    body: record === null ? text : withRecord(text, record + index),
  }));
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

/** A row as Redis keeps it and as nodes push it. */
export const encodeRow = ({ number, events, first_record: record, body }: EventsRow): string =>
  `${VERSION_1}${number} ${events} ${record ?? ''} ${body}`;

/** Undefined where the text is of an unknown version. */
export function decodeRow(text: string): EventsRow | undefined {
  const start = text.startsWith(VERSION_1) ? VERSION_1.length : 0;
  if (!isDigit(text.charCodeAt(start))) return undefined;
  const toEvents = text.indexOf(' ', start);
  const toRecord = text.indexOf(' ', toEvents + 1);
  const toBody = text.indexOf(' ', toRecord + 1);
  const record = text.slice(toRecord + 1, toBody);
  return {
    number: Number(text.slice(start, toEvents)),
    events: Number(text.slice(toEvents + 1, toRecord)),
    first_record: record === '' ? null : Number(record),
    body: text.slice(toBody + 1),
  };
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
