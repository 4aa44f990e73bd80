/** Parses a Basic authorization header. */
import { hash } from 'node:crypto';
import { decodeBasic } from '../../../kernel/secrets/basic-credentials';
import { exactEmail } from '../../../kernel/secrets/email-key';
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

/** The same for every header with the same credentials. The result itself is no credential. */
export const callerKey = ({ email, key }: BasicCredentials): string =>
  hash('sha256', `${exactEmail(email)}:${key}`, 'base64');
