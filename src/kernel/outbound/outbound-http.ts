/**
 * The one HTTP client for URLs that users supply. It connects to public addresses only, checks that at each redirect,
 * and limits everything that the other end controls: bytes, time and redirects.
 */
import { isIP } from 'node:net';
import { endingWith } from '../ending';
import { Gate } from '../admission/gate';
import { isIn, networksOf } from './addresses';
import { exchange, type Answer } from './exchange';
import { firstHop, hostOf, nextHop, portOf, type Hop, type WrittenRequest } from './hop';
import { USUAL_LIMITS, type OutboundLimits, OutboundError } from './outbound-error';
import { isNeverReachable, resolveByDns, resolveByTable, type Reach, type Resolve } from './resolve';

export interface OutboundRequest extends WrittenRequest {
  readonly limits?: Partial<OutboundLimits>;
  /** Ends the request early. */
  readonly signal?: AbortSignal;
}

export interface OutboundResponse extends Answer {
  /** The URL after the last redirect. */
  readonly url: string;
}

export interface OutboundOptions {
  /** Networks that are allowed although they are not public. */
  readonly networks?: readonly string[];
  /** Addresses by name, used in place of DNS. */
  readonly hosts?: Readonly<Record<string, string>>;
  readonly resolve?: Resolve;
  /** How many requests of this process run at once: in all, and to one host. */
  readonly atOnce?: number;
  readonly perHost?: number;
  /** Called with the outcome of each request. */
  readonly count?: (labels: { readonly outcome: string }) => void;
}

const MAX_WAITING = 1000;
const busy = () => new OutboundError('busy', 'Too many requests are under way');

export class OutboundHttp {
  readonly #reach: Reach;
  readonly #places: Gate;
  readonly #count: NonNullable<OutboundOptions['count']>;

  constructor({ networks = [], hosts = {}, ...options }: OutboundOptions = {}) {
    const { resolve = resolveByDns, atOnce = 64, perHost = 4, count = () => {} } = options;
    this.#reach = { resolve: resolveByTable(hosts, resolve), allowed: networksOf(networks) };
    this.#places = new Gate({
      atOnce,
      callerAtOnce: perHost,
      waiting: MAX_WAITING,
      waitMs: USUAL_LIMITS.totalMs,
      refusal: busy,
      refusedAtOnce: Infinity,
    });
    this.#count = count;
  }

  /** Whether every request to the URL would be refused, as far as is known without DNS. */
  isNeverSent(written: string): boolean {
    const url = new URL(written);
    return isNeverReachable({ host: hostOf(url), port: portOf(url) }, this.#reach.allowed);
  }

  /** Whether the URL names an address in a network that the operator has listed. */
  isListed(written: string): boolean {
    const host = hostOf(new URL(written));
    return isIP(host) !== 0 && isIn(this.#reach.allowed, host);
  }

  /** The response, whatever its status. Any failure is an OutboundError. */
  async send(request: OutboundRequest): Promise<OutboundResponse> {
    try {
      const response = await this.#follow(request);
      this.#count({ outcome: `${Math.floor(response.status / 100)}xx` });
      return response;
    } catch (error) {
      this.#count({ outcome: error instanceof OutboundError ? error.trouble : 'error' });
      throw error;
    }
  }

  async #follow(request: OutboundRequest): Promise<OutboundResponse> {
    const limits = { ...USUAL_LIMITS, ...request.limits };
    return endingWith(request.signal ? [request.signal] : [], async (ending) => {
      const timer = setTimeout(() => ending.abort(), limits.totalMs);
      try {
        return await this.#walk(firstHop(request), limits, ending);
      } finally {
        clearTimeout(timer);
      }
    });
  }

  async #walk(first: Hop, limits: OutboundLimits, ending: AbortController): Promise<OutboundResponse> {
    let hop = first;
    for (let redirects = 0; redirects <= limits.redirects; redirects += 1) {
      const host = hostOf(hop.url);
      const party = { caller: host, address: host, isGone: () => ending.signal.aborted };
      const step = { hop, limits, reach: this.#reach, ending };
      const response = await this.#places.through(party, () => exchange(step));
      const next = nextHop(hop, response.status, response.headers.location);
      if (!next) return { ...response, url: hop.url.href };
      hop = next;
    }
    throw new OutboundError('redirects', `The request was redirected more than ${limits.redirects} times`);
  }
}
