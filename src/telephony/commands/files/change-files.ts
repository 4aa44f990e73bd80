/** Creates, fills, replaces and deletes a company's files. A file that a message or fax uses cannot be changed. */
import { ensure } from '../../../kernel/fault';
import { newId } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import {
  inChunks,
  pictureExtension,
  pictureType,
  safeName,
  safeType,
  type FileDraft,
} from '../../../kernel/files/stored-file';
import type { Caller } from '../../model/contacts/contact';
import { fileInUse, noFile, notYours, existing } from '../../model/faults';
import type { FileFacts, FileId } from '../../model/files/file';
import * as audit from '../../store/companies/audit';
import * as files from '../../store/files/files';

/** The type until the content is uploaded. */
const UNKNOWN_TYPE = 'application/octet-stream';

export async function createFile(
  { mysql, clock }: Storage,
  by: Caller,
  draft: Pick<FileFacts, 'name' | 'description'>,
): Promise<object> {
  const file = await files.insert(mysql, {
    id: newId() as FileId,
    companyId: by.companyId,
    userId: by.contactId,
    name: safeName(draft.name),
    uploadedName: '',
    description: draft.description,
    mimetype: UNKNOWN_TYPE,
    size: 0,
    sourceUrl: null,
    createdAt: clock.now(),
    uploadedAt: null,
  });
  return (await files.present(mysql, [file]))[0]!;
}

/** Locks a file that the caller may change. */
async function lockOwn({ db }: Tx, by: Caller, id: string): Promise<FileFacts> {
  const file = existing(await files.lock(db, by.companyId, id), noFile);
  ensure(by.isOwner || file.userId === by.contactId, notYours('file'));
  ensure(!(await files.isUsed(db, file.id)), fileInUse());
  return file;
}

export function fillFile(transaction: Transact, by: Caller, id: string, draft: FileDraft): Promise<object> {
  return transaction(async (tx) => {
    const { db } = tx;
    const file = await lockOwn(tx, by, id);
    await files.removeChunks(db, file.id);
    let place = 0;
    let picture: string | undefined;
    for await (const chunk of inChunks(draft.open())) {
      if (place === 0) picture = pictureExtension(chunk);
      await files.insertChunk(db, file.id, place, chunk);
      place += 1;
    }
    // A signature in the content overrides the type that the client sent.
    const mimetype = picture === undefined ? typeOf(draft) : pictureType(picture);
    await files.fill(db, file.id, { uploadedName: safeName(draft.name), mimetype, size: draft.size });
    const filled = existing(await files.byId(db, by.companyId, file.id), noFile);
    return (await files.present(db, [filled]))[0]!;
  });
}

/** Content without an image signature is not served as a raster image. */
function typeOf({ type }: FileDraft): string {
  const safe = safeType(type);
  return safe.startsWith('image/') && safe !== 'image/svg+xml' && safe !== 'image/tiff' ? UNKNOWN_TYPE : safe;
}

export function removeFile(transaction: Transact, by: Caller, id: string): Promise<object> {
  return transaction(async (tx) => {
    const file = await lockOwn(tx, by, id);
    const [shown] = await files.present(tx.db, [file]);
    await files.remove(tx.db, file.id);
    await audit.record(tx.db, by, { action: 'file.delete', object: file.id, detail: { name: file.name } });
    return shown!;
  });
}
