/** An organisation's email domains: their syntax, and which addresses they admit. */
import type { Wire } from '../../../kernel/text/wire';
import type { realmDomain } from '../answers/organisation';

export interface RealmDomain {
  readonly domain: string;
  readonly allowsSubdomains: boolean;
}

/** The wire format has no limit, but every client gets the whole list when it registers. */
export const MAX_DOMAINS = 500;
const MAX_DOMAIN_LENGTH = 255;

/** Normalised for storage and lookup. */
export const domainKey = (written: string): string => written.trim().toLowerCase();

/** What is wrong with a domain, checked in Zulip's order. */
export function domainMistake(domain: string): string | undefined {
  if (domain === '') return 'it is empty';
  if (!domain.includes('.')) return 'it has no dot';
  if (domain.length > MAX_DOMAIN_LENGTH) return `it is longer than ${MAX_DOMAIN_LENGTH} characters`;
  const labels = domain.split('.');
  if (labels.includes('')) return 'it has a dot at an end, or two in a row';
  if (labels.some((label) => label.startsWith('-') || label.endsWith('-'))) return 'a part of it has a "-" at an end';
  return labels.every((label) => /^[a-z0-9-]+$/.test(label))
    ? undefined
    : 'it has something other than letters, digits, "." and "-"';
}

/** Whether a user with this address may join. A "+" before the domain is refused, because it makes aliases. */
export function admitsAddress(domains: readonly RealmDomain[], email: string): 'admitted' | 'alias' | 'foreign' {
  const at = email.lastIndexOf('@');
  if (email.slice(0, at).includes('+')) return 'alias';
  const own = domainKey(email.slice(at + 1));
  const isAdmitted = domains.some(
    ({ domain, allowsSubdomains }) => own === domain || (allowsSubdomains && own.endsWith(`.${domain}`)),
  );
  return isAdmitted ? 'admitted' : 'foreign';
}

export const wireDomain = ({ domain, allowsSubdomains }: RealmDomain): Wire<typeof realmDomain> => ({
  domain,
  allow_subdomains: allowsSubdomains,
});
