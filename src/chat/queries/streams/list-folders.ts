/** The folders of an organisation's streams, in their order. */
import type { Database } from '../../../kernel/mysql/pool';
import { mapRead, runRead, type Read } from '../../../kernel/mysql/read-packet';
import type { Wire } from '../../../kernel/text/wire';
import type { streamFolder } from '../../model/answers/stream-folders';
import type { RealmId } from '../../model/organisation/realm';
import { wireFolder } from '../../model/streams/stream-folder';
import * as folders from '../../store/streams/stream-folders';

export const foldersRead = (realmId: RealmId): Read<Wire<typeof streamFolder>[]> =>
  mapRead(folders.listRead(realmId), (all) => all.map(wireFolder));

export async function listFolders(
  db: Database,
  realmId: RealmId,
  withArchived: boolean,
): Promise<Wire<typeof streamFolder>[]> {
  const all = await runRead(db, foldersRead(realmId));
  return all.filter((each) => withArchived || !each.is_archived);
}
