/** Pictures of other servers, which readers load from this one, so that nobody else learns who reads what. */
import type { Secrets } from '../../../kernel/secrets/secrets';
import { isSameOfItsLength } from '../../../kernel/secrets/signatures';
import { pictureExtension } from '../../../kernel/files/stored-file';

export interface ExternalPicture {
  readonly extension: string;
  readonly bytes: Buffer;
}

export const isElsewhere = (address: string): boolean => /^https?:\/\//i.test(address);

/** A URL of this server as a path on it; any other address as it is. */
export function withoutOrigin(address: string, publicUrl: string): string {
  if (!URL.canParse(address)) return address;
  const { origin, pathname, search } = new URL(address);
  return origin === publicUrl ? pathname + search : address;
}

/** Pictures that this server shows to anybody. Without special characters, because it becomes a header. */
export const isPublicPicture = (path: string): boolean =>
  /^\/(?:static|user_avatars)\/(?!.*\.\.)[\w/.%?=&-]+$/.test(path);

/** Zulip's form: an HMAC, without which anybody could have this server fetch anything, and the URL in hexadecimal. */
export const externalPath = (secrets: Secrets, url: string): string =>
  `/external_content/${hmacOf(secrets, url)}/${Buffer.from(url).toString('hex')}`;

const hmacOf = (secrets: Secrets, url: string): string =>
  Buffer.from(secrets.token('external content', url), 'base64url').toString('hex');

/** The URL in a path that this server has written. */
export function signedUrl(secrets: Secrets, hmac: string, hex: string): string | undefined {
  if (!/^(?:[\da-f]{2})+$/.test(hex)) return undefined;
  const url = Buffer.from(hex, 'hex').toString();
  return isSameOfItsLength(hmac, hmacOf(secrets, url)) ? url : undefined;
}

/** The size of the headers that follow is one of seven. Two letters alone would begin any text. */
const BITMAP = /^424d.{8}00000000.{8}(?:0c|28|34|38|40|6c|7c)000000/;

/** Decided by the first bytes, not by what the other server says. SVG is excluded: it is a program. */
export const externalExtension = (bytes: Buffer): string | undefined =>
  pictureExtension(bytes) ?? (BITMAP.test(bytes.subarray(0, 18).toString('hex')) ? 'bmp' : undefined);
