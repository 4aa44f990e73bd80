/** Where a device receives pushes: an address at a push service, and the keys that only the device can read with. */
import { ECDH } from 'node:crypto';
import type { OutboundHttp } from '../outbound/outbound-http';

export interface PushAddress {
  readonly endpoint: string;
  /** The device's public key and secret, in base64url. */
  readonly p256dh: string;
  readonly auth: string;
}

/** Push services use a few hundred characters. */
const MAX_ENDPOINT_LENGTH = 1000;
const POINT_BYTES = 65;
const SECRET_BYTES = 16;

type Reach = Pick<OutboundHttp, 'isListed' | 'isNeverSent'>;

/** Why a device cannot be reached in this way; undefined if it can, as far as is known without asking DNS. */
export function troubleOf({ endpoint, p256dh, auth }: PushAddress, reach: Reach): string | undefined {
  if (endpoint.length > MAX_ENDPOINT_LENGTH || !URL.canParse(endpoint)) return 'endpoint';
  const { protocol, username, password } = new URL(endpoint);
  // Without TLS only where the operator vouches for the network.
  const isSafe = protocol === 'https:' || (protocol === 'http:' && reach.isListed(endpoint));
  if (!isSafe || username !== '' || password !== '' || reach.isNeverSent(endpoint)) return 'endpoint';
  if (!isPoint(p256dh)) return 'p256dh';
  return isBase64Url(auth) && Buffer.from(auth, 'base64url').length === SECRET_BYTES ? undefined : 'auth';
}

const isBase64Url = (text: string): boolean => /^[\w-]{1,100}$/.test(text);

/** Anything else would fail with every push. */
function isPoint(text: string): boolean {
  if (!isBase64Url(text) || Buffer.from(text, 'base64url').length !== POINT_BYTES) return false;
  try {
    ECDH.convertKey(text, 'prime256v1', 'base64url');
    return true;
  } catch {
    return false;
  }
}
