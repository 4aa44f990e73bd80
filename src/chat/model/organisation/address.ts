/** Where an organisation is on a server that has several: under which subdomain, by which host names of its own. */
import { isIP } from 'node:net';
import type { RealmId } from './realm';

/** An organisation; or the bare domain, which is nobody's; or a subdomain that nobody has. */
export type Place = RealmId | 'bare' | 'nowhere';

/** How the server is reached, and the domain under which its organisations have theirs. */
export interface ServerAddress {
  readonly publicUrl: string;
  readonly rootDomain: string;
}

export interface RealmAddress {
  readonly subdomain: string;
  /** Its own host name, the first where there are several. */
  readonly host: string | null;
}

/** The root domain, where none is configured: an address made of numbers cannot have subdomains, localhost can. */
export function rootDomainOf(configured: string, publicUrl: string): string {
  if (configured !== '') return hostName(configured);
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  return isIP(host) > 0 ? 'localhost' : host;
}

/** The longest name there is (RFC 1035). */
const LONGEST_HOST = 253;
/** What cannot be a host is all one, under a name that is reserved for none. */
const NO_HOST = 'invalid';

/** A host as compared: without port, case and the dot that may end it. */
export const hostName = (host: string): string => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');

/** The host that a request asks for, as compared; strangers may write anything there, of any length. */
export function askedHost(host: string): string {
  const name = hostName(host);
  return name.length <= LONGEST_HOST && /^[a-z0-9._:[\]-]*$/.test(name) ? name : NO_HOST;
}

/** Empty for the root domain itself, and for hosts that have nothing to do with it. */
export function subdomainIn(host: string, rootDomain: string): string {
  if (!host.endsWith(`.${rootDomain}`)) return '';
  const subdomain = host.slice(0, -rootDomain.length - 1);
  return subdomain === 'www' ? '' : subdomain;
}

/** What a label of a host name may be; `www` is the bare domain's. */
export const isSubdomain = (text: string): boolean =>
  /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(text) && text !== 'www';

export const isHostName = (text: string): boolean =>
  text.length <= LONGEST_HOST && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/.test(text);

/** Where its users find it. Scheme and port are the server's. */
export function realmUrl({ publicUrl, rootDomain }: ServerAddress, { subdomain, host }: RealmAddress): string {
  if (publicUrl === '' || (host === null && subdomain === '')) return publicUrl;
  const url = new URL(publicUrl);
  return `${url.protocol}//${host ?? `${subdomain}.${rootDomain}`}${url.port === '' ? '' : `:${url.port}`}`;
}

/** Reserved: nobody's mail ever goes there. */
const NOWHERE = 'partyline.invalid';

/** What stands behind the @ in the addresses of an organisation's bots: its host, where that is a name. */
export function botDomainOf(url: string): string {
  const host = url === '' ? '' : new URL(url).hostname;
  return host.startsWith('[') || isIP(host) > 0 || !host.includes('.') ? NOWHERE : host;
}
