/** What an API key may be used for. */

export const KEY_RIGHTS = ['write', 'read', 'texting'] as const;
export type KeyRights = (typeof KEY_RIGHTS)[number];

/** Routes that only read although they are POST. */
const READS: ReadonlySet<string> = new Set(['/instances/:instance_uuid/bulks/extensions/check']);
/** The routes of a client that only sends and receives texts and faxes. */
const TEXTING = ['/texting/', '/files', '/conversion/files/', '/fax/', '/events', '/statuses/', '/status/'];
const ABOUT_ONESELF = '/system/account';

export interface CalledRoute {
  readonly method: string;
  readonly path: string;
}

export function mayCall(rights: KeyRights, { method, path }: CalledRoute): boolean {
  if (rights === 'write') return true;
  if (rights === 'read') return method === 'get' || READS.has(path);
  return path === ABOUT_ONESELF || TEXTING.some((start) => path.startsWith(start));
}
