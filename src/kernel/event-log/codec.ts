/**
 * The one codec for the text of events: in outbox rows, in Redis, and in pushes between nodes.
 *
 * A row holds the numbered events of one commit, at the database cost of one. If an event names a record whose number
 * only the commit knows, it has a gap for that number. An event's prefix is omitted if it equals the previous event's.
 *
 * In Redis a row is `marker number events record body`. The marker is the version. Text of an unknown version is
 * refused: a release must be able to read a version before any release writes it. An event beside the log is pushed as
 * `marker number index body`, and never stored.
 */

/** Bodies are JSON, which never contains these characters unescaped. */
export const BETWEEN_EVENTS = '\u001E';
export const RECORD_GAP = '\u001F';
const PREFIX_END = '\u001D';
/** A body of a later version begins with this. Bodies of version 1 have no marker. */
const LATER_BODY = '\u001C';

/** The marker of version 1. */
const VERSION_1 = '\t';
/** The marker of an event beside the log, version 1. */
export const BESIDE_LOG = '\v';

/** An event in two parts; many events may share the prefix. */
export interface PrefixedEvent {
  readonly prefix: string;
  readonly rest: string;
}

export interface EventsRow {
  /** The number of the last event. */
  readonly number: number;
  readonly events: number;
  /** The number for the first event's gap; each further event gets the next number. */
  readonly first_record: number | null;
  readonly body: string;
}

export interface NumberedEvent {
  readonly number: number;
  readonly body: string;
}

/** An event beside the log: after the numbered event, and after the events beside it with a lower index. */
export interface EphemeralEvent extends NumberedEvent {
  readonly index: number;
}

/** What a node receives: numbered events or one event beside the log. */
export type Push = EventsRow | EphemeralEvent;

/** Fills in the defaults of an outbox row. */
export const eventsRow = ({ number, events = 1, first_record = null, body }: NumberedRow): EventsRow => ({
  number: number!,
  events,
  first_record,
  body,
});

type NumberedRow = Partial<Omit<EventsRow, 'number'>> & { readonly number: number | null; readonly body: string };

export const EVENTS_ROW = ['number', 'events', 'first_record', 'body'] as const;

/** Encodes events as the body of one row. */
export function encodeBody(events: readonly PrefixedEvent[]): string {
  let before = '';
  let body = '';
  for (const [index, { prefix, rest }] of events.entries()) {
    if (index > 0) body += BETWEEN_EVENTS;
    // An event with an empty prefix has none, not the previous one's.
    if (prefix !== '') body += prefix === before ? PREFIX_END : prefix + PREFIX_END;
    if (prefix !== '') before = prefix;
    body += rest;
  }
  return body;
}

/** The events of a row with their numbers, in order; undefined if the body's version is unknown. */
export function decodeEvents({ number, events, first_record: record, body }: EventsRow): NumberedEvent[] | undefined {
  if (body.startsWith(LATER_BODY)) return undefined;
  return textsIn(body).map((text, index) => ({
    number: number - events + 1 + index,
    body: record === null ? text : withRecord(text, record + index),
  }));
}

function textsIn(body: string): string[] {
  let prefix = '';
  return body.split(BETWEEN_EVENTS).map((text) => {
    const end = text.indexOf(PREFIX_END);
    if (end === -1) return text;
    if (end > 0) prefix = text.slice(0, end);
    return prefix + text.slice(end + 1);
  });
}

const withRecord = (text: string, record: number): string => text.replace(RECORD_GAP, String(record));

/** A row as Redis stores it and as nodes push it. */
export const encodeRow = ({ number, events, first_record: record, body }: EventsRow): string =>
  `${VERSION_1}${number} ${events} ${record ?? ''} ${body}`;

/** Undefined if the version of the text is unknown. */
export const decodePush = (text: string): Push | undefined =>
  text.startsWith(BESIDE_LOG) ? decodeEphemeral(text) : decodeRow(text);

function decodeEphemeral(text: string): EphemeralEvent {
  const toIndex = text.indexOf(' ');
  const toBody = text.indexOf(' ', toIndex + 1);
  return {
    number: Number(text.slice(BESIDE_LOG.length, toIndex)),
    index: Number(text.slice(toIndex + 1, toBody)),
    body: text.slice(toBody + 1),
  };
}

/** Undefined if the version of the text is unknown. */
export function decodeRow(text: string): EventsRow | undefined {
  const start = VERSION_1.length;
  if (!text.startsWith(VERSION_1) || !isDigit(text.charCodeAt(start))) return undefined;
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
