/** Splits the bytes of a keep-alive connection into complete HTTP answers. */

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');

export class AnswerReader {
  #heard: Buffer = Buffer.alloc(0);

  /** The answers that these bytes complete. */
  *read(bytes: Buffer): Iterable<HttpAnswer> {
    this.#heard = this.#heard.length === 0 ? bytes : Buffer.concat([this.#heard, bytes]);
    for (;;) {
      const headEnd = this.#heard.indexOf(HEAD_END);
      if (headEnd === -1) return;
      const head = this.#heard.toString('latin1', 0, headEnd);
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      if (length === undefined) throw new Error(`the server did not say how long its answer is: ${head}`);
      const start = headEnd + HEAD_END.length;
      const end = start + Number(length);
      if (this.#heard.length < end) return;
      const body = this.#heard.toString('latin1', start, end);
      this.#heard = this.#heard.subarray(end);
      yield { status: Number(head.slice(9, 12)), body };
    }
  }
}
