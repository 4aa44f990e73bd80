/** One step of a request: the first, or one that a redirect leads to. */
import { OutboundError } from './outbound-error';

export interface Hop {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

export interface WrittenRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Buffer | undefined;
}

export function firstHop({ url: written, method, headers = {}, body }: WrittenRequest): Hop {
  const url = readUrl(written);
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (url.username !== '' || url.password !== '') {
    const credentials = `${decoded(url.username)}:${decoded(url.password)}`;
    own['authorization'] ??= `Basic ${Buffer.from(credentials).toString('base64')}`;
  }
  return { url: withoutUser(url), method, headers: own, body };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** These repeat the same request. The others turn a POST into a GET, which would lose its body. */
const SAME_REQUEST = new Set([307, 308]);

/**
 * The next step after a response; undefined if there is none. Credentials and bodies stay with their origin, so a
 * redirect can neither pass them on nor downgrade them from HTTPS.
 */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  const url = withoutUser(readUrl(location, hop.url));
  const isSameOrigin = url.origin === hop.url.origin;
  if (hop.method === 'POST') return isSameOrigin && SAME_REQUEST.has(status) ? { ...hop, url } : undefined;
  return { ...hop, url, headers: isSameOrigin ? hop.headers : withoutCredentials(hop.headers) };
}

const CREDENTIALS = new Set(['authorization', 'cookie', 'proxy-authorization']);
const withoutCredentials = (headers: Hop['headers']): Hop['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.has(name)));

function withoutUser(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare;
}

/** The longest URL that is requested. */
const MAX_URL_LENGTH = 4096;

function readUrl(written: string, from?: URL): URL {
  const url = written.length <= MAX_URL_LENGTH && URL.canParse(written, from) ? new URL(written, from) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new OutboundError('bad-url', 'Only addresses of http and https can be requested');
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

export const portOf = ({ port, protocol }: URL): number => (port === '' ? DEFAULT_PORTS[protocol]! : Number(port));

/** Without the brackets of IPv6 and the trailing dot of an absolute name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
