/** An organisation's exports, and the content of one, for administrators. */
import { ensure } from '../../../kernel/fault';
import type { Database } from '../../../kernel/mysql/pool';
import type { Wire } from '../../../kernel/text/wire';
import type { realmExport } from '../../model/answers/organisation';
import { wireExport, type RealmExport } from '../../model/organisation/export';
import { exportDeleted, exportNotReady, noSuchExport } from '../../model/organisation/organisation-faults';
import type { RealmId } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import type { Chat } from '../../parts';
import * as exportRows from '../../store/organisation/exports';

/** The database may be a transaction's. */
export async function readExports(
  db: Database,
  realmId: RealmId,
  publicUrl: string,
): Promise<Wire<typeof realmExport>[]> {
  return (await exportRows.list(db, realmId)).map((each) => wireExport(each, publicUrl));
}

export async function listExports(chat: Pick<Chat, 'mysql' | 'realms'>, by: User): Promise<Wire<typeof realmExport>[]> {
  ensureAdmin(by);
  return readExports(chat.mysql, by.realmId, await chat.realms.publicUrl(by.realmId));
}

export interface Archive {
  readonly id: number;
  readonly size: number;
  readonly sha256: string;
  readonly chunks: AsyncIterable<Buffer>;
}

export async function openArchive(db: Database, by: User, id: number): Promise<Archive> {
  ensureAdmin(by);
  const found = await exportRows.byId(db, by.realmId, id);
  if (!found || found.state === 'failed') throw noSuchExport();
  ensure(found.state !== 'deleted', exportDeleted());
  ensure(found.state === 'done', exportNotReady());
  return { id, size: found.size!, sha256: found.sha256!, chunks: read(db, found) };
}

async function* read(db: Database, archive: RealmExport): AsyncGenerator<Buffer> {
  let left = archive.size!;
  for (let place = 0; left > 0; place += 1) {
    const chunk = await exportRows.chunk(db, archive, place);
    // Deleted meanwhile. The response must fail, because a truncated archive is useless.
    if (!chunk) throw new Error('an export was deleted while it was read');
    left -= chunk.length;
    yield chunk;
  }
}
