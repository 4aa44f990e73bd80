/** Files: uploaded through the API, and downloaded outside it with a header, a key in the URL, or a session cookie. */
import { Readable } from 'node:stream';
import { ensure } from '../../../kernel/fault';
import type { WireFormat } from '../../../kernel/http/wire-format';
import { Download } from '../../../kernel/http/outgoing';
import { integer } from '../../../kernel/http/params';
import { openRoutes, routesFor } from '../../../kernel/http/route';
import type { Storage } from '../../../kernel/kernel';
import type { Mount } from '../../../kernel/product';
import { byteRange } from '../../../kernel/files/byte-range';
import { fileHeaders } from '../../../kernel/files/stored-file';
import { removeAttachment, uploadFile } from '../../commands/uploads/upload-file';
import { notForWebhookBots } from '../../model/faults';
import { INCOMING_WEBHOOK, type User } from '../../model/users/user';
import { temporaryPath, ticketOf } from '../../model/uploads/temporary-address';
import { MAX_UPLOAD_MEGABYTES } from '../../model/uploads/file';
import { fileTooLarge, noFile, noSuchAttachment, noSuchFile, oneFileOnly } from '../../model/users/user-faults';
import { levelProfile, profileOf } from '../../model/profiles/profiles';
import type { Chat } from '../../parts';
import type { ChatSettings } from '../../settings';
import { findKeyHolder } from '../../queries/accounts/keys';
import { isAt } from '../../queries/organisation/find-realm';
import { listAttachments, openAnyFile, openFile, type StoredFile } from '../../queries/uploads/files';
import { DONE } from '../../model/answers/envelope';
import { attachmentsAnswer, temporaryAnswer, uploadAnswer } from '../../model/answers/realm';
import { FILE, NO_BODY } from '../../../kernel/http/answers';
import { COOKIE_ALONE } from '../wire-format';
import { copies, pictureMounts } from './picture-files';

type Parts = Storage & Pick<Chat, 'externalPictures' | 'keys' | 'realms'>;

const { get, post, del } = routesFor<User>();

export const uploadRoutes = ({ chatFeatureLevel }: Pick<ChatSettings, 'chatFeatureLevel'>) => [
  post('/user_uploads', {
    summary: 'Upload a file, in a form field of any name',
    answer: uploadAnswer,
    refuses: [noFile(), oneFileOnly(), fileTooLarge(25)],
    isExpensive: true,
    fileLimitBytes: MAX_UPLOAD_MEGABYTES * 1024 * 1024,
    async run({ kernel, by, incoming: { files } }) {
      const [file] = files;
      ensure(file !== undefined, noFile());
      ensure(files.length === 1, oneFileOnly());
      ensure(!file.isCut, fileTooLarge(MAX_UPLOAD_MEGABYTES));
      return profileOf(levelProfile(chatFeatureLevel)).upload(await uploadFile(kernel, by, file));
    },
  }),
  get('/user_uploads/:realm_id/:prefix/:token/:name', {
    summary: 'Get an address that opens a file without a key, for a minute',
    answer: temporaryAnswer,
    refuses: [noSuchFile()],
    run: async ({ kernel, by, params: { token } }) => {
      const { name } = await openFile(kernel.mysql, by, token);
      return { url: temporaryPath(kernel.secrets, { realmId: by.realmId, token, name }, kernel.clock.now()) };
    },
  }),
  get('/attachments', {
    summary: 'Get your uploaded files',
    answer: attachmentsAnswer,
    isExpensive: true,
    run: ({ kernel, by }) => listAttachments(kernel.mysql, by),
  }),
  del('/attachments/:attachment_id', {
    summary: 'Delete one of your uploaded files',
    answer: DONE,
    refuses: [noSuchAttachment()],
    params: { attachment_id: integer },
    run: ({ kernel, by, params }) => removeAttachment(kernel.transaction, by, params.attachment_id),
  }),
];

/** An image in a page cannot send a header, so a key in the URL or a session cookie is enough. */
const fileWireFormat = (
  chat: Storage & Pick<Chat, 'keys' | 'realms'>,
  wireFormat: WireFormat<User>,
): WireFormat<User> => ({
  ...wireFormat,
  async authenticate(kernel, incoming, route) {
    const key = incoming.query['api_key'];
    if (typeof key !== 'string' || incoming.header('authorization') !== '') {
      return wireFormat.authenticate(kernel, incoming, { ...route, admits: [...route.admits, COOKIE_ALONE] });
    }
    const user = await findKeyHolder(chat, key, incoming);
    if (user.botType === INCOMING_WEBHOOK) throw notForWebhookBots();
    return user;
  },
});

const emptyWireFormat = (wireFormat: WireFormat<User>): WireFormat<User> => ({
  ...wireFormat,
  success: () => ({ status: 204, body: undefined }),
});

const files = get('/:realm_id/:prefix/:token/:name', {
  summary: 'Get a file',
  answer: { 200: FILE, 206: FILE },
  refuses: [noSuchFile()],
  limited: false,
  run: async ({ kernel, by, params, incoming }) =>
    downloadOf(await openFile(kernel.mysql, by, params.token), incoming.header('range')),
});

function downloadOf(file: StoredFile, range: string): Download {
  const part = byteRange(range, file.size);
  const size = part ? part.to - part.from + 1 : file.size;
  const { type, headers } = fileHeaders({ ...file, size }, { showsPdf: true });
  const body = Readable.from(file.chunks(part));
  const ranged = { ...headers, 'Accept-Ranges': 'bytes' };
  if (!part) return new Download(body, type, ranged);
  return new Download(body, type, { ...ranged, 'Content-Range': `bytes ${part.from}-${part.to}/${file.size}` }, 206);
}

/** The signature in the address stands for the key. */
const temporary = (realms: Chat['realms']) =>
  openRoutes.get('/temporary/:file_token/:name', {
    summary: 'Get a file by an address that opens it for a minute',
    answer: { 200: FILE, 206: FILE },
    refuses: [noSuchFile()],
    async run({ kernel, params, incoming }) {
      const ticket = ticketOf(kernel.secrets, params.file_token, kernel.clock.now());
      ensure(ticket !== undefined && (await isAt(realms, ticket.realmId, incoming.host)), noSuchFile());
      const file = await openAnyFile(kernel.mysql, ticket);
      return downloadOf(file, incoming.header('range'));
    },
  });

const probe = openRoutes.get('/', {
  summary: 'Check that the server is reachable',
  answer: NO_BODY,
  status: 204,
  run: () => Promise.resolve({}),
});

/** Routes outside the API, at the paths that Zulip clients use. */
export function fileMounts(chat: Parts, wireFormat: WireFormat<User>): readonly Mount[] {
  const byKey = fileWireFormat(chat, wireFormat);
  return [
    { prefix: '/user_uploads', wireFormat: byKey, routes: [copies, files, temporary(chat.realms)] },
    ...pictureMounts(chat, wireFormat, byKey),
    { prefix: '/generate_204', wireFormat: emptyWireFormat(wireFormat), routes: [probe] },
  ];
}
