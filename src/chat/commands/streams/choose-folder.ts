/** Puts a stream into a folder of the organisation, or takes it out. */
import { ensure } from '../../../kernel/fault';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { Onlookers } from '../../model/events/audience';
import type { RealmId } from '../../model/organisation/realm';
import type { Stream } from '../../model/streams/stream';
import { streamChanged } from '../../model/streams/stream-events';
import { noSuchFolder, type FolderId } from '../../model/streams/stream-folder';
import * as folders from '../../store/streams/stream-folders';
import * as streams from '../../store/streams/streams';

/** Holds a folder that is in use, so that nobody archives it before the stream is in it. */
export async function holdFolder(tx: Tx, realmId: RealmId, id: number | null): Promise<FolderId | null> {
  if (id === null) return null;
  const folder = await folders.lock(tx.db, realmId, id);
  ensure(folder?.isArchived === false, noSuchFolder());
  return folder.id;
}

/** The stream is locked. */
export async function chooseFolder(tx: Tx, stream: Stream, id: number | null, to: Onlookers): Promise<void> {
  if (id === stream.folderId) return;
  const folderId = await holdFolder(tx, stream.realmId, id);
  await streams.update(tx.db, [stream.id], { folderId });
  tx.deliver(streamChanged(stream, to, 'folder_id', { value: folderId }));
}
