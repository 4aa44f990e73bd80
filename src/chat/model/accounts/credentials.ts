/** Parses a Basic authorization header. */
import { hash } from 'node:crypto';
import { decodeBasic } from '../../../kernel/secrets/basic-credentials';
import { badAuthorizationHeader, malformedKey, notLoggedIn, plain } from '../faults';
import { isKeyShaped } from '../users/user';

/** The password of the demo accounts, for development only. */
export const DEMO_PASSWORD = 'demo';

export interface BasicCredentials {
  readonly email: string;
  readonly key: string;
}

export function readBasic(header: string): BasicCredentials {
  if (header === '') throw notLoggedIn();
  const [scheme = '', encoded = '', ...more] = header.split(/\s+/, 3);
  if (scheme.toLowerCase() !== 'basic') throw plain('This endpoint requires HTTP basic authentication.');
  const parts = more.length > 0 ? undefined : decodeBasic(encoded)?.split(':');
  if (parts?.length !== 2) throw badAuthorizationHeader();
  const [email, key] = parts as [string, string];
  if (!isKeyShaped(key)) throw malformedKey();
  return { email, key };
}

/** The key under which the caller of such a header is cached. The key itself is no credential. */
export const callerKey = (header: string): string => hash('sha256', `basic:${header}`, 'base64');
