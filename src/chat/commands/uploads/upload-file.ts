/** Stores a file in MySQL, where every node can read it. It is streamed in chunks, so that no node holds all of it. */
import { ensure } from '../../../kernel/fault';
import { newSecret } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import { pictureFacts } from '../../../kernel/files/picture-size';
import { inChunks, pictureExtension, safeName, safeType, type FileDraft } from '../../../kernel/files/stored-file';
import { pictures } from '../../actors/mailboxes';
import { eventDelivery } from '../../model/events/event';
import { realmTenant } from '../../model/organisation/realm';
import { uploadPath } from '../../model/uploads/file';
import type { User } from '../../model/users/user';
import { noSuchAttachment } from '../../model/users/user-faults';
import { wireAttachment } from '../../queries/uploads/files';
import * as uploads from '../../store/uploads/uploads';

const TOKEN_LENGTH = 32;

export interface Uploaded {
  readonly url: string;
  readonly filename: string;
}

export async function uploadFile(kernel: Storage, by: User, file: FileDraft): Promise<Uploaded> {
  const upload = {
    realmId: by.realmId,
    ownerId: by.id,
    token: newSecret(TOKEN_LENGTH),
    name: safeName(file.name),
    type: safeType(file.type, file.name),
    size: file.size,
    createdAt: kernel.clock.now(),
  };
  await kernel.transaction(async (tx) => {
    const id = await uploads.insert(tx.db, upload);
    let place = 0;
    let isPicture = false;
    for await (const chunk of inChunks(file.open())) {
      if (place === 0) {
        isPicture = pictureExtension(chunk) !== undefined;
        const facts = pictureFacts(chunk);
        if (facts) await uploads.setFacts(tx.db, id, facts);
      }
      await uploads.insertChunk(tx.db, id, place, chunk);
      place += 1;
    }
    await publishToOwner(tx, by, 'add', wireAttachment({ ...upload, id }, []));
    const { realmId } = by;
    if (isPicture) pictures.at(realmTenant(realmId)).send(tx, { realmId, uploadId: id });
  });
  return { url: uploadPath(upload), filename: upload.name };
}

export async function removeAttachment(transaction: Transact, by: User, id: number): Promise<void> {
  await transaction(async (tx) => {
    ensure(await uploads.remove(tx.db, by.id, id), noSuchAttachment());
    await publishToOwner(tx, by, 'remove', { id });
  });
}

async function publishToOwner(tx: Tx, by: User, op: string, attachment: object): Promise<void> {
  const used = await uploads.spaceUsed(tx.db, by.realmId, by.id);
  tx.deliver(eventDelivery(by.realmId, [by.id], { type: 'attachment', op, attachment, upload_space_used: used }));
}
