/** Files a user has uploaded, and the bytes of one. */
import { ensure } from '../../kernel/fault';
import type { Kernel } from '../../kernel/kernel';
import { uploadPathId } from '../model/file';
import type { User } from '../model/user';
import { noSuchFile } from '../model/user-faults';
import * as uploads from '../store/uploads';

/** Which messages name it is not kept. */
export const wireAttachment = (upload: uploads.Upload): Record<string, unknown> => ({
  id: upload.id,
  name: upload.name,
  path_id: uploadPathId(upload),
  size: upload.size,
  create_time: upload.createdAt.getTime(),
  messages: [],
});

export async function listAttachments({ mysql }: Kernel, by: User): Promise<Record<string, unknown>> {
  const own = await uploads.ofOwner(mysql, by.realmId, by.id);
  return { attachments: own.map(wireAttachment), upload_space_used: await uploads.spaceUsed(mysql, by.realmId) };
}

export interface StoredFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly chunks: AsyncIterable<Buffer>;
}

/** For everybody in the organisation who knows its address, which nobody can guess. */
export async function openFile({ mysql }: Kernel, by: User, token: string): Promise<StoredFile> {
  const upload = await uploads.byToken(mysql, by.realmId, token);
  ensure(upload !== undefined, noSuchFile());
  async function* read(id: number): AsyncGenerator<Buffer> {
    for (let place = 0; ; place += 1) {
      const chunk = await uploads.chunk(mysql, id, place);
      if (!chunk) return;
      yield chunk;
    }
  }
  return { name: upload.name, type: upload.type, size: upload.size, chunks: read(upload.id) };
}
