/**
 * Pictures of other servers in this process: fetched once for all readers, within bounds, and kept for a while. A node
 * fetches a few at a time, so that slow servers take neither its memory nor the places of other outbound requests.
 */
import { Cache } from '../../kernel/cache/cache';
import { comeLater, Gate, type Party } from '../../kernel/admission/gate';
import { OutboundError } from '../../kernel/outbound/outbound-error';
import type { OutboundHttp, OutboundResponse } from '../../kernel/outbound/outbound-http';
import { externalExtension, type ExternalPicture } from '../model/uploads/external-picture';

/** As Zulip's proxy has it. */
const MAX_BYTES = 5 * 1024 * 1024;
const HEADERS = { 'User-Agent': 'Partyline picture proxy', Accept: 'image/*' };
const KEPT = {
  entries: 1000,
  bytes: 32 * 1024 * 1024,
  ttlMs: 3_600_000,
  weigh: ({ bytes }: ExternalPicture, url: string) => bytes.length + 2 * url.length + 500,
};
/** A picture that was missing may come back, and a server that was down too. */
const MISSED = { entries: 10_000, bytes: 4 * 1024 * 1024, ttlMs: 60_000 };
const FETCHES = { atOnce: 8, callerAtOnce: 4, waiting: 200, callerWaiting: 50, waitMs: 10_000 };

type Found = ExternalPicture | undefined;

export class ExternalPictures {
  readonly #outbound: OutboundHttp;
  readonly #gate = new Gate(FETCHES);
  readonly #kept = new Cache<string, ExternalPicture>(KEPT);
  readonly #missed = new Cache<string, true>(MISSED);
  readonly #downloads = new Map<string, Promise<Found>>();

  constructor(outbound: OutboundHttp) {
    this.#outbound = outbound;
  }

  /** Undefined if there is no picture at the URL, or none that may be shown. */
  async find(url: string, party: Party): Promise<Found> {
    const kept = this.#kept.get(url);
    if (kept || this.#missed.get(url)) return kept;
    return this.#downloads.get(url) ?? this.#begin(url, party);
  }

  #begin(url: string, party: Party): Promise<Found> {
    const fetched = this.#gate.through(party, () => this.#download(url)).finally(() => this.#downloads.delete(url));
    this.#downloads.set(url, fetched);
    return fetched;
  }

  async #download(url: string): Promise<Found> {
    const found = await this.#ask(url);
    if (found) this.#kept.set(url, found);
    else this.#missed.set(url, true);
    return found;
  }

  async #ask(url: string): Promise<Found> {
    try {
      return pictureIn(
        await this.#outbound.send({ url, method: 'GET', headers: HEADERS, limits: { bodyBytes: MAX_BYTES } }),
      );
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      if (error.trouble === 'busy') throw comeLater();
      return undefined;
    }
  }
}

function pictureIn({ status, body }: OutboundResponse): Found {
  const extension = status === 200 ? externalExtension(body) : undefined;
  return extension === undefined ? undefined : { extension, bytes: body };
}
