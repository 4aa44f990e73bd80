/** Return values of routes that need more than a value: another status, headers, or raw bytes. */
import type { Readable } from 'node:stream';

/** A value in the envelope of the wire format. */
export class Outgoing {
  readonly value: unknown;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[]>>;

  constructor(value: unknown, more: { status?: number; headers?: Readonly<Record<string, string | string[]>> } = {}) {
    this.value = value;
    this.status = more.status;
    this.headers = more.headers ?? {};
  }
}

/** A response of raw bytes, without an envelope. */
export class Download {
  readonly status: number;
  readonly body: Buffer | string | Readable;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    body: Buffer | string | Readable,
    type: string,
    headers: Readonly<Record<string, string>> = {},
    status = 200,
  ) {
    this.status = status;
    this.body = body;
    this.type = type;
    this.headers = headers;
  }
}
