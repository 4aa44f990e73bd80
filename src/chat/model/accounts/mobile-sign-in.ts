/** Signing in to a mobile app by a browser: the app gets the key through the address that the browser is sent to. */
import { badRequest } from '../faults';

/** 64 hex digits that only the app knows. Whoever else sees the address learns nothing of the key without them. */
export type OneTimePad = string & { readonly __brand: 'OneTimePad' };

export const isOneTimePad = (text: string): text is OneTimePad => /^[0-9a-f]{64}$/i.test(text);

export const invalidOneTimePad = () => badRequest('Invalid OTP');

/** Zulip's: the bytes of the key and those of the pad, which are as many. */
export function padded(key: string, pad: OneTimePad): string {
  const [bytes, secret] = [Buffer.from(key), Buffer.from(pad, 'hex')];
  if (bytes.length !== secret.length) throw new Error('a key and its pad differ in length');
  return Buffer.from(bytes.map((byte, at) => byte ^ secret[at]!)).toString('hex');
}

interface Signed {
  /** The organisation's address, whose origin the app compares. */
  readonly realm: string;
  readonly email: string;
  readonly userId: number;
  readonly key: string;
}

/** No address of a web page: the telephone hands it to the app. */
export function appAddress({ realm, email, userId, key }: Signed, pad: OneTimePad): string {
  const query = { realm, email, user_id: String(userId), otp_encrypted_api_key: padded(key, pad) };
  return `zulip://login?${new URLSearchParams(query).toString().replaceAll('+', '%20')}`;
}
