/** Exports of the organisation, for its administrators. */
import { Readable } from 'node:stream';
import { FILE } from '../../../kernel/http/answers';
import { Download } from '../../../kernel/http/outgoing';
import { integer } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { fileHeaders } from '../../../kernel/files/stored-file';
import type { Storage } from '../../../kernel/kernel';
import { deleteExport, requestExport } from '../../commands/organisation/exports';
import { DONE } from '../../model/answers/envelope';
import { realmExportsAnswer } from '../../model/answers/organisation';
import { created } from '../../model/answers/users';
import { archiveName } from '../../model/organisation/export';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { listExports, openArchive } from '../../queries/organisation/list-exports';
import {
  exportDeleted,
  exportNotReady,
  exportTooLarge,
  exportUnderWay,
  noSuchExport,
  tooManyExports,
} from '../../model/organisation/organisation-faults';
import { adminsOnly } from '../../model/users/user-faults';

const { get, post, del } = routesFor<User>();

export const exportRoutes = (chat: Storage & Pick<Chat, 'realms'>) => [
  post('/export/realm', {
    summary: 'Export the public data of the organisation; administrators only',
    answer: created,
    refuses: [adminsOnly(), exportUnderWay(), tooManyExports(), exportTooLarge()],
    run: ({ by }) => requestExport(chat, by),
  }),
  get('/export/realm', {
    summary: 'Get the exports of the organisation; administrators only',
    answer: realmExportsAnswer,
    refuses: [adminsOnly()],
    run: async ({ by }) => ({ exports: await listExports(chat, by) }),
  }),
  get('/export/realm/:export_id/archive', {
    summary: 'Get the archive of an export, a gzipped tar; administrators only',
    answer: FILE,
    refuses: [adminsOnly(), noSuchExport(), exportNotReady(), exportDeleted()],
    params: { export_id: integer },
    async run({ by, params }) {
      const archive = await openArchive(chat.mysql, by, params.export_id);
      const { size } = archive;
      const { type, headers } = fileHeaders({ name: archiveName(archive), type: 'application/gzip', size });
      const digest = Buffer.from(archive.sha256, 'hex').toString('base64');
      return new Download(Readable.from(archive.chunks), type, { ...headers, 'Repr-Digest': `sha-256=:${digest}:` });
    },
  }),
  del('/export/realm/:export_id', {
    summary: 'Delete an export, or stop it; administrators only',
    answer: DONE,
    refuses: [adminsOnly(), noSuchExport(), exportDeleted()],
    params: { export_id: integer },
    run: ({ by, params }) => deleteExport(chat, by, params.export_id),
  }),
];
