/** Organisations' addresses on a shared server: subdomains and own host names. */
import { isIP } from 'node:net';
import type { RealmId } from './realm';

/** An organisation; the bare domain, which belongs to none; or a subdomain that does not exist. */
export type Place = RealmId | 'bare' | 'nowhere';

/** The server's URL, and the parent domain of organisations' subdomains. */
export interface ServerAddress {
  readonly publicUrl: string;
  readonly rootDomain: string;
}

export interface RealmAddress {
  readonly subdomain: string;
  /** Its own host name, or the first of several. */
  readonly host: string | null;
}

/** The root domain, by default the public host. An IP address cannot have subdomains, so localhost is used instead. */
export function rootDomainOf(configured: string, publicUrl: string): string {
  if (configured !== '') return hostName(configured);
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  return isIP(host) > 0 ? 'localhost' : host;
}

/** The longest possible name (RFC 1035). */
const MAX_HOST_LENGTH = 253;
/** All invalid hosts are mapped to this reserved name. */
const NO_HOST = 'invalid';

/** Normalises a host: without port, case and trailing dot. */
export const hostName = (host: string): string => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');

/** The normalised host of a request, which may contain anything of any length. */
export function requestedHost(host: string): string {
  const name = hostName(host);
  return name.length <= MAX_HOST_LENGTH && /^[a-z0-9._:[\]-]*$/.test(name) ? name : NO_HOST;
}

/** Empty for the root domain itself, and for unrelated hosts. */
export function subdomainIn(host: string, rootDomain: string): string {
  if (!host.endsWith(`.${rootDomain}`)) return '';
  const subdomain = host.slice(0, -rootDomain.length - 1);
  return subdomain === 'www' ? '' : subdomain;
}

/** A valid label of a host name; `www` stands for the bare domain. */
export const isSubdomain = (text: string): boolean =>
  /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(text) && text !== 'www';

export const isHostName = (text: string): boolean =>
  text.length <= MAX_HOST_LENGTH &&
  /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/.test(text);

/** The organisation's base URL, with the server's scheme and port. */
export function realmUrl({ publicUrl, rootDomain }: ServerAddress, { subdomain, host }: RealmAddress): string {
  if (publicUrl === '' || (host === null && subdomain === '')) return publicUrl;
  const url = new URL(publicUrl);
  return `${url.protocol}//${host ?? `${subdomain}.${rootDomain}`}${url.port === '' ? '' : `:${url.port}`}`;
}

/** A reserved domain that never receives mail. */
const NOWHERE = 'partyline.invalid';

/** The domain of bots' email addresses: the organisation's host, if it is a name. */
export function botDomainOf(url: string): string {
  const host = url === '' ? '' : new URL(url).hostname;
  return host.startsWith('[') || isIP(host) > 0 || !host.includes('.') ? NOWHERE : host;
}
