/** The query of an ordinary poll, read in a moment. */
import { ownCopy } from '../../kernel/cache';

export interface PollQuery {
  readonly queueId: string;
  readonly lastEventId: number;
  readonly dontBlock: boolean;
}

const ID = /^-?\d{1,15}$/;
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** As nearly every client writes it. Of a length that a connection may remember. */
const USUAL = /^queue_id=(\d{1,20})(?::|%3A)([0-9a-f]{1,64})&last_event_id=(-?\d{1,15})(?:&dont_block=(true|false))?$/;

/** Reads the polls of one connection: the next begins as the last, and only the number at its end is another. */
export class PollQueries {
  #start = '';
  #queueId = '';

  /** Undefined for anything that asks for more than a poll. */
  read(query: string): PollQuery | undefined {
    if (this.#queueId !== '' && query.startsWith(this.#start)) {
      const lastEventId = idAfter(query, this.#start.length);
      if (lastEventId !== undefined) return { queueId: this.#queueId, lastEventId, dontBlock: false };
    }
    const usual = USUAL.exec(query);
    if (!usual) return readInAnyOrder(query);
    const [, time, chance, id, flag] = usual;
    const queueId = `${time}:${chance}`;
    if (flag === undefined) {
      this.#start = ownCopy(query.slice(0, -id!.length));
      this.#queueId = queueId;
    }
    return { queueId, lastEventId: Number(id), dontBlock: flag === 'true' };
  }
}

const MOST_DIGITS = 15;
const [ZERO, NINE] = [48, 57];

/** The id that is the rest of the text: as above, digit by digit, because this is read more often than all else. */
function idAfter(text: string, start: number): number | undefined {
  const first = text[start] === '-' ? start + 1 : start;
  if (first === text.length || text.length - first > MOST_DIGITS) return undefined;
  let id = 0;
  for (let at = first; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign < ZERO || sign > NINE) return undefined;
    id = id * 10 + sign - ZERO;
  }
  return first === start ? id : -id;
}

function readInAnyOrder(query: string): PollQuery | undefined {
  let queueId: string | undefined;
  let lastEventId: number | undefined;
  let dontBlock: boolean | undefined = false;
  for (const part of query.split('&')) {
    const sign = part.indexOf('=');
    const value = part.slice(sign + 1);
    switch (part.slice(0, sign)) {
      case 'queue_id':
        queueId = decoded(value);
        break;
      case 'last_event_id':
        lastEventId = ID.test(value) ? Number(value) : undefined;
        break;
      case 'dont_block':
        dontBlock = FLAGS.get(value);
        break;
      default:
        return undefined;
    }
  }
  if (queueId === undefined || lastEventId === undefined || dontBlock === undefined) return undefined;
  return { queueId, lastEventId, dontBlock };
}

/** A queue's id is digits, a colon and letters; others are for the ordinary way. */
function decoded(value: string): string | undefined {
  const text = value.replace(/%3a/i, ':');
  return /^[\w:.-]+$/.test(text) ? text : undefined;
}
