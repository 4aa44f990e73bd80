/** Masks paths for logs and error texts: a path can hold a credential, such as the token of a carrier's webhook. */
import { MASK } from '../secrets/mask';
import { isSecretName } from '../secrets/secret-names';

type ShowPath = (path: string) => string;

const isSecretPart = (part: string): boolean => part.startsWith(':') && isSecretName(part.slice(1));

/** For requests that match a route. Parameters with secret names are masked. */
export function routePathShower(pattern: string): ShowPath {
  const areSecret = pattern.split('/').map(isSecretPart);
  if (!areSecret.includes(true)) return (path) => path;
  return (path) =>
    path
      .split('/')
      .map((part, at) => (part !== '' && (areSecret[at] ?? true) ? MASK : part))
      .join('/');
}

/** Long enough to be a credential, and unlike an ordinary word. */
const CREDENTIAL = /^(?=.*(?:\d|[A-Z].*[a-z]|[a-z].*[A-Z]|%|:))[^/]{16,}$/;

/**
 * For all other requests: one with a wrong method or address may still hold the credential of a route. Everything after
 * the prefix of a route with a secret parameter is masked; elsewhere, every part that looks like a credential.
 */
export function unroutedPathShower(patterns: readonly string[]): ShowPath {
  const beginnings = patterns.filter((pattern) => pattern.split('/').some(isSecretPart)).map(beginningOf);
  return (path) => {
    for (const beginning of beginnings) {
      const [whole] = beginning.exec(path) ?? [];
      if (whole !== undefined) return path.length > whole.length ? `${whole}${MASK}` : path;
    }
    return path
      .split('/')
      .map((part) => (CREDENTIAL.test(part) ? MASK : part))
      .join('/');
  };
}

/** The pattern up to its first secret parameter. Slashes may be doubled, and case does not matter. */
function beginningOf(pattern: string): RegExp {
  const parts = pattern.split('/').filter((part) => part !== '');
  const before = parts.slice(0, parts.findIndex(isSecretPart));
  const written = before.map((part) =>
    part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return new RegExp(`^/+${written.map((part) => `${part}/+`).join('')}`, 'i');
}
