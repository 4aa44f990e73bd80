/** Pictures outside the API, at the paths that Zulip clients use. */
import { Readable } from 'node:stream';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensure } from '../../../kernel/fault';
import type { WireFormat } from '../../../kernel/http/wire-format';
import { FILE } from '../../../kernel/http/answers';
import { Download, Outgoing } from '../../../kernel/http/outgoing';
import { text } from '../../../kernel/http/params';
import { openRoutes, routesFor } from '../../../kernel/http/route';
import type { Kernel } from '../../../kernel/kernel';
import type { Mount } from '../../../kernel/product';
import { fileHeaders, pictureType } from '../../../kernel/stored-file';
import { DONE } from '../../model/answers/envelope';
import { DEFAULT_LOGO_FILE } from '../../model/uploads/realm-picture';
import type { RealmId } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import { invalidThumbnailSize, noSuchFile } from '../../model/users/user-faults';
import type { Chat } from '../../parts';
import { findAvatar } from '../../queries/uploads/find-avatar';
import {
  findAvatarPicture,
  findEmojiPicture,
  findRealmPicture,
  type FoundPicture,
} from '../../queries/uploads/find-picture';
import { isAt } from '../../queries/organisation/find-realm';
import { openThumbnail } from '../../queries/uploads/open-thumbnail';

const { get } = routesFor<User>();

/** A changed picture has another URL, or at least another version in it. */
const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

function shown(name: string, { bytes, extension }: FoundPicture): Download {
  const { type, headers } = fileHeaders({ name, type: pictureType(extension), size: bytes.length });
  return new Download(bytes, type, { ...headers, ...FOR_EVER });
}

type Find = (kernel: Kernel, realmId: RealmId, file: string) => Promise<FoundPicture | undefined>;

/** Public: anyone who knows the URL may see it. */
const picture = (chat: Chat, path: string, summary: string, find: Find) =>
  openRoutes.get(path, {
    summary,
    answer: FILE,
    refuses: [noSuchFile()],
    params: { realm_id: text, file: text },
    async run({ kernel, params: { realm_id: realm, file }, incoming }) {
      // Organisation ids are numbers.
      const realmId = /^\d{1,9}$/.test(realm) ? (Number(realm) as RealmId) : undefined;
      const isHere = realmId !== undefined && (await isAt(chat, realmId, incoming.host));
      const found = isHere ? await find(kernel, realmId, file) : undefined;
      ensure(found !== undefined, noSuchFile());
      return shown(file, found);
    },
  });

const avatar = (path: string, isMedium: boolean) =>
  get(path, {
    summary: `Get somebody's ${isMedium ? 'large ' : ''}picture`,
    answer: DONE,
    status: 302,
    limited: false,
    params: { who: text, s: text.optional() },
    async run({ kernel, by, params: { who, s: side } }) {
      return new Outgoing(
        {},
        { status: 302, headers: { Location: await findAvatar(kernel, by, who, { isMedium, side }) } },
      );
    },
  });

const SIZES: ReadonlySet<string> = new Set(['thumbnail', 'full']);

const thumbnail = get('/', {
  summary: 'Get an uploaded picture, as it is or smaller',
  answer: FILE,
  refuses: [noSuchFile(), invalidThumbnailSize()],
  limited: false,
  params: { url: text, size: text },
  async run({ kernel, by, params: { url, size } }) {
    ensure(SIZES.has(size), invalidThumbnailSize());
    const file = await openThumbnail(kernel, by, url, size === 'full');
    const { type, headers } = fileHeaders(file);
    return new Download(Readable.from(file.chunks), type, headers);
  },
});

const logo = openRoutes.get('/:file', {
  summary: 'Get the logo of organisations that have none of their own',
  answer: FILE,
  refuses: [noSuchFile()],
  params: { file: text },
  async run({ params: { file } }) {
    ensure(file === DEFAULT_LOGO_FILE, noSuchFile());
    return shown(file, {
      bytes: await readFile(join(__dirname, '../../model/uploads/default-logo.png')),
      extension: 'png',
    });
  },
});

/** `byKey` also accepts a key in the URL, because an image in a page cannot send a header. */
export function pictureMounts(chat: Chat, wireFormat: WireFormat<User>, byKey: WireFormat<User>): readonly Mount[] {
  const pictures = [
    picture(chat, '/:realm_id/emoji/images/:file', "Get the picture of an organisation's emoji", findEmojiPicture),
    picture(chat, '/:realm_id/realm/:file', "Get an organisation's icon or logo", findRealmPicture),
    picture(chat, '/:realm_id/:file', 'Get an uploaded avatar', findAvatarPicture),
  ];
  return [
    { prefix: '/user_avatars', wireFormat, routes: pictures },
    { prefix: '/avatar', wireFormat: byKey, routes: [avatar('/:who/medium', true), avatar('/:who', false)] },
    { prefix: '/thumbnail', wireFormat: byKey, routes: [thumbnail] },
    { prefix: '/static/images/logo', wireFormat, routes: [logo] },
  ];
}
