/** Archive entries for an organisation's pictures: its own, its users' avatars, and its emoji. */
import type { Database } from '../../../kernel/mysql/pool';
import type { TarEntry } from '../../../kernel/files/tar';
import { REALM_PICTURES } from '../../model/uploads/realm-picture';
import type { Realm } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import * as avatars from '../../store/uploads/avatars';
import * as emoji from '../../store/organisation/realm-emoji';
import * as realmPictures from '../../store/uploads/realm-pictures';
import { jsonEntry } from './export-pages';

/** One picture at a time is in memory. */
export async function* pictureEntries(
  db: Database,
  realm: Realm,
  everybody: readonly User[],
): AsyncGenerator<TarEntry> {
  for (const kind of REALM_PICTURES) {
    const bytes = realm.pictures[kind].isUploaded ? await realmPictures.picture(db, realm.id, kind) : undefined;
    if (bytes) yield pictureEntry(`realm/${kind}.png`, bytes);
  }
  for (const { id, avatarKey } of everybody) {
    const bytes =
      avatarKey === null ? undefined : await avatars.picture(db, realm.id, { key: avatarKey, isMedium: true });
    if (bytes) yield pictureEntry(`avatars/${id}.png`, bytes);
  }
  yield* emojiEntries(db, realm);
}

async function* emojiEntries(db: Database, { id: realmId }: Realm): AsyncGenerator<TarEntry> {
  const all = await emoji.list(db, realmId);
  const index: object[] = [];
  for (const { id, name, isActive, extension, author } of all) {
    const picture = await emoji.picture(db, realmId, id);
    if (!picture) continue;
    const file = `emoji/${id}.${extension}`;
    index.push({ id, name, is_active: isActive, author_id: author.id, file });
    yield pictureEntry(file, picture.bytes);
  }
  yield jsonEntry('emoji.json', index);
}

const pictureEntry = (name: string, bytes: Buffer): TarEntry => ({ name, size: bytes.length, content: [bytes] });
