/** A user's uploaded files, and the content of one. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import type { Wire } from '../../../kernel/text/wire';
import type { attachment } from '../../model/answers/realm';
import { uploadPathId } from '../../model/uploads/file';
import type { User } from '../../model/users/user';
import { noSuchFile } from '../../model/users/user-faults';
import * as links from '../../store/uploads/upload-links';
import * as uploads from '../../store/uploads/uploads';
import { findFile } from './access-file';

export const wireAttachment = (
  upload: uploads.Upload,
  messages: readonly links.LinkingMessage[],
): Wire<typeof attachment> => ({
  id: upload.id,
  name: upload.name,
  path_id: uploadPathId(upload),
  size: upload.size,
  create_time: upload.createdAt.getTime(),
  // Zulip puts the message's time into `name`.
  messages: messages.map(({ id, sentAt }) => ({ id, name: sentAt * 1000 })),
});

export async function listAttachments({ mysql }: Kernel, by: User): Promise<Record<string, unknown>> {
  const own = await uploads.ofOwner(mysql, by.realmId, by.id);
  const linked = links.byUpload(
    await links.of(
      mysql,
      by.realmId,
      own.map(({ id }) => id),
    ),
  );
  return {
    attachments: own.map((upload) => wireAttachment(upload, linked.get(upload.id) ?? [])),
    // Only the user's own: other users' uploads are private.
    upload_space_used: await uploads.spaceUsed(mysql, by.realmId, by.id),
  };
}

export interface StoredFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly chunks: AsyncIterable<Buffer> | readonly Buffer[];
}

/** The error is the same whether the file is hidden or does not exist. */
export async function openFile(kernel: Kernel, by: User, token: string): Promise<StoredFile> {
  const upload = await findFile(kernel, by, token);
  ensure(upload !== undefined, noSuchFile());
  return storedFile(kernel, upload);
}

export const storedFile = ({ mysql }: Kernel, { id, name, type, size }: uploads.Upload): StoredFile => ({
  name,
  type,
  size,
  chunks: uploads.chunks(mysql, id),
});
