/** One step of a request: the first, or one that a redirect leads to. */
import { OutboundError } from './outbound-error';

export interface Hop {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface WrittenRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
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
/** They ask for the same request again; the others make a GET of a POST, which would lose its body. */
const SAME_REQUEST = new Set([307, 308]);

/**
 * Where an answer leads; undefined where it is the last. Credentials and bodies stay with the origin that they were meant
 * for, so a redirect can neither hand them on nor take them off HTTPS.
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

/** The longest address that anybody is sent to. */
const LONGEST_URL = 4096;

function readUrl(written: string, from?: URL): URL {
  const url = written.length <= LONGEST_URL && URL.canParse(written, from) ? new URL(written, from) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new OutboundError('bad-url', 'Only addresses of http and https can be requested');
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

export const portOf = ({ port, protocol }: URL): number => (port === '' ? DEFAULT_PORTS[protocol]! : Number(port));

/** Without the brackets of IPv6 and the dot at the end of a whole name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
