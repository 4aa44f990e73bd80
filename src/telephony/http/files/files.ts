/** Routes of files: created by name, then filled; downloaded with a key, or by a signed URL for a while. */
import { Readable } from 'node:stream';
import { z } from 'zod';
import { ensure } from '../../../kernel/fault';
import { Download, Outgoing } from '../../../kernel/http/outgoing';
import { integer, text } from '../../../kernel/http/params';
import { openRoutes, routesFor } from '../../../kernel/http/route';
import { fileHeaders } from '../../../kernel/files/stored-file';
import { createFile, fillFile, removeFile } from '../../commands/files/change-files';
import type { Caller } from '../../model/contacts/contact';
import {
  addressNotValid,
  fileInUse,
  fileTooLarge,
  noContent,
  noFile,
  notYours,
  noUpload,
  otherCompany,
} from '../../model/faults';
import * as field from '../../model/fields';
import { webAddress } from '../../model/files/file';
import {
  getFile,
  getPreview,
  listFiles,
  openFile,
  openSigned,
  signAddress,
  type OpenedFile,
} from '../../queries/files/files';
import type { TelephonySettings } from '../../settings';
import { paged, pageShape } from '../list-params';
import { file, files, preview, signedAddress } from '../../model/answers/files';
import { FILE, NO_BODY } from '../../../kernel/http/answers';

const { get, post, del } = routesFor<Caller>();
const FIELD = 'upfile';
/** The content, or a redirect to the carrier that keeps it. */
const CONTENT = { 200: FILE, 302: NO_BODY };

/** The headers keep any active content from running under our origin. */
function download(file: OpenedFile): Download | Outgoing {
  if (file.elsewhere !== null) {
    const location = webAddress(file.elsewhere);
    ensure(location !== undefined, noContent());
    return new Outgoing(undefined, { status: 302, headers: { Location: location } });
  }
  const { type, headers } = fileHeaders(file, { showsPdf: true });
  return new Download(Readable.from(file.chunks), type, headers);
}

export const fileRoutes = ({ fileLimitBytes, fileUrlMs, publicUrl }: TelephonySettings) => [
  get('/files', {
    summary: 'List the files of your company, newest first',
    answer: files,
    isExpensive: true,
    params: pageShape,
    run: ({ kernel, by, params }) => paged(params, (page) => listFiles(kernel.mysql, by, page)),
  }),
  post('/files', {
    summary: 'Create a file by name; its content is uploaded next',
    answer: file,
    status: 201,
    params: { name: field.name(255), description: field.line(500).optional(), company_id: z.string().nullish() },
    run: ({ kernel, by, params: { name, description = '', company_id: companyId } }) => {
      ensure(companyId === undefined || companyId === null || companyId === by.companyId, otherCompany());
      return createFile(kernel, by, { name, description });
    },
  }),
  post('/files/:file_id/upload', {
    summary: `Upload the content of a file, in the field ${FIELD} of a multipart form`,
    answer: file,
    refuses: [noUpload(), notYours('file'), fileInUse(), noFile()],
    isExpensive: true,
    fileLimitBytes,
    run: ({ kernel, by, params, incoming: { files } }) => {
      const [file] = files.filter((each) => each.field === FIELD);
      ensure(file !== undefined && files.length === 1, noUpload());
      ensure(!file.isCut, fileTooLarge(fileLimitBytes));
      return fillFile(kernel.transaction, by, params.file_id, file);
    },
  }),
  get('/files/:file_id', {
    summary: 'Get a file',
    answer: file,
    run: ({ kernel, by, params }) => getFile(kernel.mysql, by, params.file_id),
  }),
  del('/files/:file_id', {
    summary: 'Delete a file that no message or fax uses: your own, or any file as the owner',
    answer: file,
    refuses: [notYours('file'), fileInUse(), noFile()],
    run: ({ kernel, by, params }) => removeFile(kernel.transaction, by, params.file_id),
  }),
  get('/files/:file_id/content', {
    summary: 'Get the content of a file',
    answer: CONTENT,
    run: async ({ kernel, by, params }) => download(await openFile(kernel.mysql, by, params.file_id)),
  }),
  post('/files/:file_id/generate_url', {
    summary: 'Create a temporary address of the file that works without a key',
    answer: signedAddress,
    run: ({ kernel, by, params }) => signAddress(kernel, by, params.file_id, { publicUrl, lastsMs: fileUrlMs }),
  }),
  post('/conversion/files/:file_id/representation', {
    summary: 'Get a preview of a file',
    answer: preview,
    run: ({ kernel, by, params }) => getPreview(kernel.mysql, by, params.file_id),
  }),
  openRoutes.get('/files/:file_id/download/:name', {
    summary: 'Get the content of a file by a signed address',
    answer: CONTENT,
    refuses: [addressNotValid(), noContent()],
    params: { expires: integer, signature: text },
    run: async ({ kernel, params: { file_id: fileId, expires, signature } }) =>
      download(await openSigned(kernel, { fileId, expires }, signature)),
  }),
];
