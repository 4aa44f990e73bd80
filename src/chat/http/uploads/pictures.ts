/** Uploaded pictures: avatars, and the organisation's icon and logos. */
import { ensure, type Fault } from '../../../kernel/fault';
import { Outgoing } from '../../../kernel/http/outgoing';
import { flag } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import type { IncomingFile } from '../../../kernel/files/upload-spool';
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import { setOwnAvatar, setRealmPicture } from '../../commands/uploads/change-pictures';
import { DONE } from '../../model/answers/envelope';
import { avatarAnswer, iconAnswer } from '../../model/answers/realm';
import { MAX_PICTURE_MEGABYTES } from '../../model/uploads/picture-recipes';
import { realmPictureUrl, type RealmPictureKind } from '../../model/uploads/realm-picture';
import type { User } from '../../model/users/user';
import {
  adminsOnly,
  avatarChangesDisabled,
  exactlyOne,
  fileTooLarge,
  imageTooLarge,
  notAnImage,
} from '../../model/users/user-faults';
import { ensureAdmin } from '../../model/users/user-policy';
import type { Chat } from '../../parts';
import { getOwnRealm } from '../../queries/organisation/find-realm';

type Parts = Storage & Pick<Chat, 'pictures'>;

const { get, post, del } = routesFor<User>();

/** The size limit of routes that accept a picture. */
export const PICTURE = { fileLimitBytes: MAX_PICTURE_MEGABYTES * 1024 * 1024 };
export const PICTURE_REFUSALS: readonly Fault[] = [notAnImage(), imageTooLarge(), fileTooLarge(MAX_PICTURE_MEGABYTES)];

export function onlyFile(files: readonly IncomingFile[], otherwise: Fault): IncomingFile {
  const [file] = files;
  ensure(file !== undefined && files.length === 1, otherwise);
  ensure(!file.isCut, fileTooLarge(MAX_PICTURE_MEGABYTES));
  return file;
}

/** Selects the day or the night logo. */
const night = { night: flag };
const logo = (isNight: boolean): RealmPictureKind => (isNight ? 'night_logo' : 'logo');

const found = async (db: Database, by: User, kind: RealmPictureKind) =>
  new Outgoing({}, { status: 302, headers: { Location: realmPictureUrl(await getOwnRealm(db, by), kind) } });

const avatarRoutes = (chat: Parts) => [
  post('/users/me/avatar', {
    summary: 'Upload your avatar, in a form field of any name',
    answer: avatarAnswer,
    refuses: [exactlyOne('avatar'), avatarChangesDisabled(), ...PICTURE_REFUSALS],
    ...PICTURE,
    run: async ({ by, incoming }) => ({
      avatar_url: await setOwnAvatar(chat, by, onlyFile(incoming.files, exactlyOne('avatar'))),
    }),
  }),
  del('/users/me/avatar', {
    summary: 'Delete your avatar; the default one is shown',
    answer: avatarAnswer,
    refuses: [avatarChangesDisabled()],
    run: async ({ by }) => ({ avatar_url: await setOwnAvatar(chat, by, null) }),
  }),
];

const iconRoutes = (chat: Parts) => [
  post('/realm/icon', {
    summary: "Upload the organisation's icon; administrators only",
    answer: iconAnswer,
    refuses: [adminsOnly(), exactlyOne('icon'), ...PICTURE_REFUSALS],
    ...PICTURE,
    async run({ by, incoming }) {
      ensureAdmin(by);
      return { icon_url: await setRealmPicture(chat, by, 'icon', onlyFile(incoming.files, exactlyOne('icon'))) };
    },
  }),
  del('/realm/icon', {
    summary: "Delete the organisation's icon; the default one is shown; administrators only",
    answer: iconAnswer,
    refuses: [adminsOnly()],
    run: async ({ by }) => ({ icon_url: await setRealmPicture(chat, by, 'icon', null) }),
  }),
  get('/realm/icon', {
    summary: "Redirect to the organisation's icon",
    answer: DONE,
    status: 302,
    run: ({ by }) => found(chat.mysql, by, 'icon'),
  }),
];

const logoRoutes = (chat: Parts) => [
  post('/realm/logo', {
    summary: "Upload the organisation's logo, for the light or the dark theme; administrators only",
    answer: DONE,
    refuses: [adminsOnly(), exactlyOne('logo'), ...PICTURE_REFUSALS],
    params: night,
    ...PICTURE,
    async run({ by, params, incoming }) {
      ensureAdmin(by);
      await setRealmPicture(chat, by, logo(params.night), onlyFile(incoming.files, exactlyOne('logo')));
    },
  }),
  del('/realm/logo', {
    summary: "Delete the organisation's logo; the default one is shown; administrators only",
    answer: DONE,
    refuses: [adminsOnly()],
    params: night,
    run: async ({ by, params }) => void (await setRealmPicture(chat, by, logo(params.night), null)),
  }),
  get('/realm/logo', {
    summary: "Redirect to the organisation's logo",
    answer: DONE,
    status: 302,
    params: night,
    run: ({ by, params }) => found(chat.mysql, by, logo(params.night)),
  }),
];

export const pictureRoutes = (chat: Parts) => [...avatarRoutes(chat), ...iconRoutes(chat), ...logoRoutes(chat)];
