/** Paths as logs and error texts may show them: a path can hold a credential, such as the token of a carrier's webhook. */
import { MASK } from './mask';
import { isSecretName } from './secret-names';

type ShowPath = (path: string) => string;

const isSecretPart = (part: string): boolean => part.startsWith(':') && isSecretName(part.slice(1));

/** For requests that a route takes. Its parameters whose names say that they are secret are masked. */
export function routePathShower(pattern: string): ShowPath {
  const parts = pattern.split('/');
  if (!parts.some(isSecretPart)) return (path) => path;
  return (path) =>
    path
      .split('/')
      .map((part, at) => (part !== '' && (at >= parts.length || isSecretPart(parts[at]!)) ? MASK : part))
      .join('/');
}

/** Long enough to be a credential, and written as people write no word. */
const CREDENTIAL = /^(?=.*(?:\d|[A-Z].*[a-z]|[a-z].*[A-Z]|%|:))[^/]{16,}$/;

/**
 * For all other requests: a wrong method or a wrong address may hold the credential of a route too. What follows the
 * beginning of a route with a secret parameter is masked, and elsewhere whatever looks like a credential.
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

/** All of the pattern that stands before its first secret parameter. Slashes may be doubled, letters large. */
function beginningOf(pattern: string): RegExp {
  const parts = pattern.split('/').filter((part) => part !== '');
  const before = parts.slice(0, parts.findIndex(isSecretPart));
  const written = before.map((part) =>
    part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return new RegExp(`^/+${written.map((part) => `${part}/+`).join('')}`, 'i');
}
