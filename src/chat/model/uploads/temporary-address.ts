/** Addresses that open a file for a short while without a key, for apps that hand files to a browser. */
import type { Secrets } from '../../../kernel/secrets/secrets';
import { isSameOfItsLength } from '../../../kernel/secrets/signatures';
import type { RealmId } from '../organisation/realm';

const LIFE_SECONDS = 60;
const PURPOSE = 'temporary file';

export interface FileRef {
  readonly realmId: RealmId;
  readonly token: string;
  readonly name: string;
}

export function temporaryPath(secrets: Secrets, { realmId, token, name }: FileRef, now: Date): string {
  const ticket = `${realmId}.${token}.${Math.floor(now.getTime() / 1000) + LIFE_SECONDS}`;
  return `/user_uploads/temporary/${ticket}.${secrets.token(PURPOSE, ticket)}/${encodeURIComponent(name)}`;
}

/** The file of an address that this server has written lately. */
export function ticketOf(secrets: Secrets, written: string, now: Date): Omit<FileRef, 'name'> | undefined {
  const [, ticket, realmId, token, expires, signature] =
    /^((\d{1,15})\.(\w+)\.(\d{1,15}))\.([\w-]+)$/.exec(written) ?? [];
  if (ticket === undefined || !isSameOfItsLength(signature!, secrets.token(PURPOSE, ticket))) return undefined;
  if (Number(expires) * 1000 < now.getTime()) return undefined;
  return { realmId: Number(realmId) as RealmId, token: token! };
}
