/** Finds files that a user may see: their own, and those linked in messages that they may see. */
import type { Kernel } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import { linkedTokens } from '../../model/uploads/file';
import type { User } from '../../model/users/user';
import * as links from '../../store/uploads/upload-links';
import * as uploads from '../../store/uploads/uploads';
import { readable } from '../messages/access-message';

export async function findFile({ mysql }: Kernel, by: User, token: string): Promise<uploads.Upload | undefined> {
  const [found] = await visible(mysql, by, await uploads.byTokens(mysql, by.realmId, [token]));
  return found;
}

/** The files that a message links to, if its author may see them: nobody can share a file that they cannot see. */
export async function findLinkedFiles({ mysql }: Kernel, by: User, content: string): Promise<number[]> {
  const tokens = linkedTokens(content);
  if (tokens.length === 0) return [];
  const found = await visible(mysql, by, await uploads.byTokens(mysql, by.realmId, tokens));
  return found.map(({ id }) => id);
}

async function visible(db: Database, by: User, files: readonly uploads.Upload[]): Promise<uploads.Upload[]> {
  const foreign = files.filter(({ ownerId }) => ownerId !== by.id).map(({ id }) => id);
  const shown = await readable(db, by, await links.of(db, by.realmId, foreign));
  const ids = new Set(shown.map(({ uploadId }) => uploadId));
  return files.filter(({ id, ownerId }) => ownerId === by.id || ids.has(id));
}
