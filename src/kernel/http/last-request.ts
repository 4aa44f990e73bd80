/** What the last request on a connection said: the next one nearly always says the same, and is then not read again. */
import type { IncomingMessage } from 'node:http';
import type { Credentials } from './dialect';

/** All that the headers of a request say, where that is nothing unusual. */
export interface Shown extends Credentials {
  readonly requestId: string | undefined;
}

const NO_LINES: readonly string[] = [];

export class LastRequest<Target> {
  #target: Target | undefined;
  #note: unknown;
  #lines = NO_LINES;
  #shown: Shown | undefined;

  get target(): Target | undefined {
    return this.#target;
  }

  set target(target: Target) {
    this.#target = target;
    this.#note = undefined;
  }

  /** What its target has made for the connection. */
  note<Note>(make: () => Note): Note {
    return (this.#note ??= make()) as Note;
  }

  /** Whether these are the headers of the last one. */
  hasShown(lines: readonly string[]): boolean {
    return isSame(lines, this.#lines);
  }

  /** Undefined where the headers could mean more than path and query say, or lack something. */
  shownBy(request: IncomingMessage | undefined): Shown | undefined {
    if (!request || isSame(request.rawHeaders, this.#lines)) return this.#shown;
    const shown = readShown(request);
    const isKept = shown !== undefined && isShort(request.rawHeaders);
    this.#shown = isKept ? shown : undefined;
    this.#lines = isKept ? request.rawHeaders : NO_LINES;
    return shown;
  }

  /** Nobody's headers are not worth keeping. */
  forgetShown(): void {
    this.#shown = undefined;
    this.#lines = NO_LINES;
  }
}

/** Each connection may keep so many characters of headers; those of the largest known client are a third of it. */
const LONGEST_KEPT = 2048;

function isShort(lines: readonly string[]): boolean {
  let length = 0;
  for (const line of lines) length += line.length;
  return length <= LONGEST_KEPT;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}

function readShown({ headers }: IncomingMessage): Shown | undefined {
  const { authorization, host } = headers;
  if (authorization === undefined || host === undefined || !isPlain(headers)) return undefined;
  return { authorization, host, requestId: headers['x-request-id'] as string | undefined };
}

const isPlain = (headers: IncomingMessage['headers']): boolean =>
  (headers['content-length'] === undefined || headers['content-length'] === '0') &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined &&
  headers['x-forwarded-host'] === undefined &&
  !(headers.accept?.includes('text/event-stream') ?? false);
