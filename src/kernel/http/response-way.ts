/** An answer of the quick door by a response that Node has made. */
import type { ServerResponse } from 'node:http';
import { LastRequest } from './last-request';
import type { Way } from './quick-connection';

export class ResponseWay<Target> implements Way<Target> {
  readonly last = new LastRequest<Target>();
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get isGone(): boolean {
    return this.#response.destroyed;
  }

  write(): boolean {
    return false;
  }

  response(): ServerResponse {
    return this.#response;
  }

  onHangUp(held: { leave(): void }): void {
    this.#response.on('close', () => {
      if (!this.#response.writableEnded) held.leave();
    });
  }
}
