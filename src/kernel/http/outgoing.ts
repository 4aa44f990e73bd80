/** What a route returns when its value alone does not say everything: another status, headers, or plain bytes. */
import type { Readable } from 'node:stream';

/** A value in the wire format's envelope. */
export class Outgoing {
  readonly value: unknown;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(value: unknown, more: { status?: number; headers?: Readonly<Record<string, string>> } = {}) {
    this.value = value;
    this.status = more.status;
    this.headers = more.headers ?? {};
  }
}

/** An answer that is no envelope but the bytes themselves. */
export class Download {
  readonly status = 200;
  readonly body: Buffer | string | Readable;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: Buffer | string | Readable, type: string, headers: Readonly<Record<string, string>> = {}) {
    this.body = body;
    this.type = type;
    this.headers = headers;
  }
}
