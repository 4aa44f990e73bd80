/** Pictures and emoji outside the API, at the paths that Zulip clients use. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { addressGroup } from '../../../kernel/admission/address-group';
import { ensure } from '../../../kernel/fault';
import { FILE } from '../../../kernel/http/answers';
import { Download, Outgoing } from '../../../kernel/http/outgoing';
import { text } from '../../../kernel/http/params';
import { openRoutes, routesFor } from '../../../kernel/http/route';
import type { WireFormat } from '../../../kernel/http/wire-format';
import type { Mount } from '../../../kernel/product';
import { fileHeaders, pictureType } from '../../../kernel/files/stored-file';
import { DONE } from '../../model/answers/envelope';
import type { RealmId } from '../../model/organisation/realm';
import {
  externalPath,
  isElsewhere,
  isPublicPicture,
  signedUrl,
  withoutOrigin,
} from '../../model/uploads/external-picture';
import { COPY_SIZES, copyNamed } from '../../model/uploads/picture-recipes';
import { DEFAULT_LOGO_FILE } from '../../model/uploads/realm-picture';
import type { User } from '../../model/users/user';
import { invalidThumbnailSize, noSuchFile, unsignedAddress } from '../../model/users/user-faults';
import type { Chat } from '../../parts';
import { isAt } from '../../queries/organisation/find-realm';
import { openSmaller, openThumbnail, type PictureSize, type ShownPicture } from '../../queries/uploads/files';
import {
  findAvatar,
  findAvatarPicture,
  findEmojiPicture,
  type FindPicture,
  findRealmPicture,
  type FoundPicture,
  getEmojiImage,
} from '../../queries/uploads/find-picture';

type Parts = Pick<Chat, 'externalPictures' | 'realms'>;

const { get } = routesFor<User>();

/** A changed picture has another URL, or at least another version in it. */
const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** What another server shows at a URL may change. */
const FOR_A_DAY = { 'Cache-Control': 'public, max-age=86400' };

function shown(name: string, { bytes, extension }: FoundPicture, caching = FOR_EVER): Download {
  const { type, headers } = fileHeaders({ name, type: pictureType(extension), size: bytes.length });
  return new Download(bytes, type, { ...headers, ...caching });
}

/** Public: anyone who knows the URL may see it. */
const picture = (realms: Chat['realms'], path: `/:realm_id/${string}:file`, summary: string, find: FindPicture) =>
  openRoutes.get(path, {
    summary,
    answer: FILE,
    refuses: [noSuchFile()],
    async run({ kernel, params: { realm_id: realm, file }, incoming }) {
      // Organisation ids are numbers.
      const realmId = /^\d{1,9}$/.test(realm) ? (Number(realm) as RealmId) : undefined;
      const isHere = realmId !== undefined && (await isAt(realms, realmId, incoming.host));
      const found = isHere ? await find(kernel.mysql, realmId, file) : undefined;
      ensure(found !== undefined, noSuchFile());
      return shown(file, found);
    },
  });

const moved = (location: string, headers: Readonly<Record<string, string>> = {}): Outgoing =>
  new Outgoing({}, { status: 302, headers: { ...headers, Location: location } });

const avatar = (path: '/:who' | '/:who/medium', isMedium: boolean) =>
  get(path, {
    summary: `Get the ${isMedium ? 'large ' : ''}avatar of a user`,
    answer: DONE,
    status: 302,
    limited: false,
    params: { s: text.optional() },
    async run({ kernel, by, params: { who, s: side } }) {
      const found = await findAvatar(kernel.mysql, by, who, { isMedium, side });
      return moved(isElsewhere(found) ? externalPath(kernel.secrets, found) : found);
    },
  });

const SIZES: ReadonlySet<string> = new Set<PictureSize>(['thumbnail', 'full', ...COPY_SIZES]);
const isSize = (size: string): size is PictureSize => SIZES.has(size);

/** A file stays the same at its address, but only its reader's browser may keep it. */
const FOR_AN_HOUR = { 'Cache-Control': 'private, max-age=3600' };

function shownCopy(file: ShownPicture): Download {
  const { type, headers } = fileHeaders(file);
  return new Download(Readable.from(file.chunks()), type, { ...headers, ...(file.isFinal ? FOR_AN_HOUR : {}) });
}

const thumbnail = (realms: Chat['realms']) =>
  get('/', {
    summary: 'Get a picture shown in a message: an uploaded one, in full size or smaller, or one from another server',
    answer: { 200: FILE, 302: DONE },
    refuses: [noSuchFile(), invalidThumbnailSize()],
    limited: false,
    params: { url: text, size: text },
    async run({ kernel, by, params: { url, size } }) {
      if (!isSize(size)) throw invalidThumbnailSize();
      const address = withoutOrigin(url, await realms.publicUrl(by.realmId));
      if (isElsewhere(address)) return moved(externalPath(kernel.secrets, address), FOR_AN_HOUR);
      if (isPublicPicture(address)) return moved(address);
      return shownCopy(await openThumbnail(kernel.mysql, by, address, size));
    },
  });

/** As today's clients ask for copies. There is no place for a key: they send it in a header. */
export const copies = get('/thumbnail/:realm_id/:prefix/:token/:name/:thumbnail_format', {
  summary: 'Get a smaller copy of an uploaded picture, by a name from `server_thumbnail_formats`',
  answer: FILE,
  refuses: [noSuchFile()],
  limited: false,
  async run({ kernel, by, params: { token, thumbnail_format: name } }) {
    const size = copyNamed(name);
    ensure(size !== undefined, noSuchFile());
    return shownCopy(await openSmaller(kernel.mysql, by, token, size));
  },
});

/** Nobody is asked who they are: an image in a page that was opened elsewhere cannot say it. The HMAC is enough. */
const external = (externalPictures: Chat['externalPictures']) =>
  openRoutes.get('/:hmac/:address_token', {
    summary: 'Get a picture from another server by a signed address',
    answer: FILE,
    refuses: [unsignedAddress(), noSuchFile()],
    async run({ kernel, params: { hmac, address_token: hex }, incoming }) {
      const url = signedUrl(kernel.secrets, hmac, hex);
      ensure(url !== undefined, unsignedAddress());
      const address = addressGroup(incoming.ip);
      const found = await externalPictures.find(url, { caller: address, address });
      ensure(found !== undefined, noSuchFile());
      return shown(`picture.${found.extension}`, found, FOR_A_DAY);
    },
  });

const logo = openRoutes.get('/:file', {
  summary: 'Get the default logo',
  answer: FILE,
  refuses: [noSuchFile()],
  async run({ params: { file } }) {
    ensure(file === DEFAULT_LOGO_FILE, noSuchFile());
    return shown(file, {
      bytes: await readFile(join(__dirname, '../../model/uploads/default-logo.png')),
      extension: 'png',
    });
  },
});

/** `byKey` also accepts a key in the URL, because an image in a page cannot send a header. */
export function pictureMounts(chat: Parts, wireFormat: WireFormat<User>, byKey: WireFormat<User>): readonly Mount[] {
  const pictures = [
    picture(
      chat.realms,
      '/:realm_id/emoji/images/:file',
      "Get the picture of an organisation's emoji",
      findEmojiPicture,
    ),
    picture(chat.realms, '/:realm_id/realm/:file', "Get an organisation's icon or logo", findRealmPicture),
    picture(chat.realms, '/:realm_id/:file', 'Get an uploaded avatar', findAvatarPicture),
  ];
  return [
    { prefix: '/user_avatars', wireFormat, routes: pictures },
    { prefix: '/avatar', wireFormat: byKey, routes: [avatar('/:who/medium', true), avatar('/:who', false)] },
    { prefix: '/thumbnail', wireFormat: byKey, routes: [thumbnail(chat.realms)] },
    { prefix: '/external_content', wireFormat, routes: [external(chat.externalPictures)] },
    { prefix: '/static/images/logo', wireFormat, routes: [logo] },
  ];
}

const image = (folder: string, summary: string) =>
  openRoutes.get(`/${folder}/:file`, {
    summary,
    answer: FILE,
    refuses: [noSuchFile()],
    async run({ params: { file } }) {
      const bytes = file.endsWith('.png') ? await getEmojiImage(file.slice(0, -'.png'.length)) : undefined;
      ensure(bytes !== undefined, noSuchFile());
      return shown(file, { bytes, extension: 'png' });
    },
  });

/** Emoji images, at the URLs that clients and messages use. */
export const emojiImageMount = (wireFormat: WireFormat<User>): Mount => ({
  prefix: '/static/generated/emoji',
  wireFormat,
  routes: [
    image('images-google-64', 'Get the picture of an emoji by its code'),
    image('images/emoji/unicode', 'Get the picture of an emoji by its code, at its older address'),
    image('images/emoji', 'Get the picture of an emoji by its name'),
  ],
});
