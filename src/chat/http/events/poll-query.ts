/** Parses the query of a poll that asks only for events. */

export interface PollQuery {
  readonly queueId: string;
  readonly lastEventId: number;
  readonly dontBlock: boolean;
}

/** The parameter order that nearly every client uses. */
const USUAL = /^queue_id=(\d{1,20})(?::|%3A)([0-9a-f]{1,64})&last_event_id=(-?\d{1,15})(?:&dont_block=(true|false))?$/;
const ID = /^-?\d{1,15}$/;
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** Undefined if the text is not an event id. */
export const readEventId = (text: string): number | undefined => (ID.test(text) ? Number(text) : undefined);

/** Undefined for a query that asks for more or is invalid: Koa handles those. */
export function readPollQuery(query: string): PollQuery | undefined {
  const usual = USUAL.exec(query);
  if (!usual) return readInAnyOrder(query);
  const [, time, random, id, flag] = usual;
  return { queueId: `${time}:${random}`, lastEventId: Number(id), dontBlock: flag === 'true' };
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
        queueId = readQueueId(value);
        break;
      case 'last_event_id':
        lastEventId = readEventId(value);
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

/** A queue id consists of digits, a colon and letters. */
function readQueueId(value: string): string | undefined {
  const text = value.replace(/%3a/i, ':');
  return /^[\w:.-]+$/.test(text) ? text : undefined;
}
