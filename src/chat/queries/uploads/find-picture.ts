/** Reads public pictures and emoji: anyone who knows the URL may see them. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Database } from '../../../kernel/mysql/pool';
import { emojiByCode, emojiByName, ZULIP_EMOJI } from '../../model/markdown/emoji';
import type { RealmId } from '../../model/organisation/realm';
import {
  avatarFile,
  avatarOf,
  hasDefaultAvatar,
  mediumAvatarOf,
  mediumDefault,
  strangersAvatar,
} from '../../model/uploads/avatar';
import { REALM_PICTURES } from '../../model/uploads/realm-picture';
import { isEmail, type User } from '../../model/users/user';
import * as emoji from '../../store/organisation/realm-emoji';
import * as pictures from '../../store/uploads/pictures';
import * as users from '../../store/users/users';

export interface FoundPicture {
  readonly bytes: Buffer;
  readonly extension: string;
}

/** By file name. */
export type FindPicture = (db: Database, realmId: RealmId, file: string) => Promise<FoundPicture | undefined>;

const asPng = (bytes: Buffer | undefined): FoundPicture | undefined => bytes && { bytes, extension: 'png' };

/** Its file name is the id with any extension. */
export const findEmojiPicture: FindPicture = async (db, realmId, file) => {
  const [, id] = /^(\d{1,9})\.\w+$/.exec(file) ?? [];
  return id === undefined ? undefined : emoji.picture(db, realmId, Number(id));
};

export const findAvatarPicture: FindPicture = async (db, realmId, file) => {
  const named = avatarFile(file);
  return named && asPng(await pictures.avatar(db, realmId, named));
};

export const findRealmPicture: FindPicture = async (db, realmId, file) => {
  const kind = REALM_PICTURES.find((each) => file === `${each}.png`);
  return kind && asPng(await pictures.realmPicture(db, realmId, kind));
};

/** The id column holds no more digits. */
const AN_ID = /^\d{1,10}$/;
/** The default avatar service supports up to 2048 pixels. */
const A_SIDE = /^\d{1,4}$/;

interface AvatarOptions {
  readonly isMedium: boolean;
  /** The side of a default avatar in pixels. An uploaded avatar has only two sizes. */
  readonly side?: string | undefined;
}

/** The URL of a user's avatar, by email address or id. Unknown users get an avatar too. */
export async function findAvatar(db: Database, by: User, who: string, options: AvatarOptions): Promise<string> {
  const user = await findPerson(db, by, who);
  if (user && !hasDefaultAvatar(user)) return options.isMedium ? mediumAvatarOf(user) : avatarOf(user);
  const avatar = user ? avatarOf(user) : strangersAvatar(who);
  if (options.isMedium) return mediumDefault(avatar);
  return options.side !== undefined && A_SIDE.test(options.side) ? `${avatar}&s=${options.side}` : avatar;
}

async function findPerson(db: Database, by: User, who: string): Promise<User | undefined> {
  if (AN_ID.test(who)) return users.byId(db, by.realmId, Number(who));
  return isEmail(who) ? users.byEmail(db, by.realmId, who) : undefined;
}

const FOLDER = join(dirname(require.resolve('emoji-datasource-google/package.json')), 'img/google/64');
const OWN = join(__dirname, '../../model/markdown/zulip.png');

/**
 * An emoji by code (`1f44d`) or any of its names: Unicode emoji come from a package, `:zulip:` from this repository.
 */
export async function getEmojiImage(codeOrName: string): Promise<Buffer | undefined> {
  if (codeOrName === ZULIP_EMOJI.name) return readFile(OWN);
  const emoji = emojiByCode(codeOrName) ?? emojiByName(codeOrName);
  return emoji && readFirst(filesOf(emoji.code));
}

/** Some of the package's names include the variation selector U+FE0F, which the table leaves out. */
const filesOf = (code: string): string[] => [code, `${code}-fe0f`, code.replace('-20e3', '-fe0f-20e3')];

async function readFirst(names: readonly string[]): Promise<Buffer | undefined> {
  for (const name of names) {
    try {
      return await readFile(join(FOLDER, `${name}.png`));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return undefined;
}
