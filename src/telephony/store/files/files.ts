/** Rows of tel_files, and their content in chunks. */
import type { Knex } from 'knex';
import type { CompanyId } from '../../model/companies/company';
import { fileObject, isOwnPreview, type FileFacts, type FileId } from '../../model/files/file';
import type { Listed, Page } from '../../model/paging';
import { pageOf } from '../reads';

const COLUMNS: Readonly<Record<keyof FileFacts, string>> = {
  id: 'id',
  number: 'number',
  companyId: 'company_id',
  userId: 'user_id',
  name: 'name',
  uploadedName: 'uploaded_name',
  description: 'description',
  mimetype: 'mimetype',
  size: 'size',
  sourceUrl: 'source_url',
  createdAt: 'created_at',
  uploadedAt: 'uploaded_at',
};

/** Inserts the file and returns it with its number. */
export async function insert(db: Knex, file: Omit<FileFacts, 'number'>): Promise<FileFacts> {
  const [number] = await db('tel_files').insert({
    id: file.id,
    company_id: file.companyId,
    user_id: file.userId,
    name: file.name,
    uploaded_name: file.uploadedName,
    description: file.description,
    mimetype: file.mimetype,
    size: file.size,
    source_url: file.sourceUrl,
    created_at: file.createdAt,
    uploaded_at: file.uploadedAt,
  });
  return { ...file, number: number! };
}

export async function byId(db: Knex, companyId: CompanyId, id: string): Promise<FileFacts | undefined> {
  return (await db('tel_files').where({ company_id: companyId, id }).first(COLUMNS)) as FileFacts | undefined;
}

/** Finds a file of any company, for signed URLs. */
export async function anywhere(db: Knex, id: string): Promise<FileFacts | undefined> {
  return (await db('tel_files').where({ id }).first(COLUMNS)) as FileFacts | undefined;
}

/** In no particular order. */
export async function byIds(db: Knex, companyId: CompanyId, ids: readonly string[]): Promise<FileFacts[]> {
  if (ids.length === 0) return [];
  return (await db('tel_files').where({ company_id: companyId }).whereIn('id', ids).select(COLUMNS)) as FileFacts[];
}

/** Files of any company. The caller must have the ids from its own rows. */
export async function anyByIds(db: Knex, ids: readonly string[]): Promise<FileFacts[]> {
  if (ids.length === 0) return [];
  return (await db('tel_files').whereIn('id', ids).select(COLUMNS)) as FileFacts[];
}

/** Locks this file's row. */
export async function lock(db: Knex, companyId: CompanyId, id: string): Promise<FileFacts | undefined> {
  const own = { company_id: companyId, id };
  return (await db('tel_files').where(own).forUpdate().first(COLUMNS)) as FileFacts | undefined;
}

export async function fill(
  db: Knex,
  id: FileId,
  { uploadedName, mimetype, size }: Pick<FileFacts, 'uploadedName' | 'mimetype' | 'size'>,
): Promise<void> {
  await db('tel_files')
    .where({ id })
    .update({ uploaded_name: uploadedName, mimetype, size, uploaded_at: db.raw('NOW(3)') });
}

export async function insertChunk(db: Knex, id: FileId, place: number, bytes: Buffer): Promise<void> {
  await db('tel_file_chunks').insert({ file_id: id, place, bytes });
}

export async function removeChunks(db: Knex, id: FileId): Promise<void> {
  await db('tel_file_chunks').where({ file_id: id }).delete();
}

export async function chunk(db: Knex, id: FileId, place: number): Promise<Buffer | undefined> {
  const [bytes] = (await db('tel_file_chunks').where({ file_id: id, place }).pluck('bytes')) as Buffer[];
  return bytes;
}

/** The content of files that are their own preview. Such a file is a single chunk. */
async function previewBytes(db: Knex, files: readonly FileFacts[]): Promise<Map<FileId, Buffer>> {
  const ids = files.filter(isOwnPreview).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = (await db('tel_file_chunks').whereIn('file_id', ids).where({ place: 0 }).select('file_id', 'bytes')) as {
    file_id: FileId;
    bytes: Buffer;
  }[];
  return new Map(rows.map((row) => [row.file_id, row.bytes]));
}

/** Converts files to their wire format, in the same order. */
export async function present(db: Knex, files: readonly FileFacts[]): Promise<ReturnType<typeof fileObject>[]> {
  const bytes = await previewBytes(db, files);
  return files.map((file) => fileObject(file, bytes.get(file.id)));
}

/** Newest first. */
export const list = (db: Knex, companyId: CompanyId, page: Page): Promise<Listed<FileFacts>> =>
  pageOf(db, db('tel_files').where({ company_id: companyId }).orderBy('number', 'desc').select(COLUMNS), page);

/** Its content is deleted with it. */
export async function remove(db: Knex, id: FileId): Promise<void> {
  await db('tel_files').where({ id }).delete();
}

/** Whether a text or a fax uses the file. */
export async function isUsed(db: Knex, id: FileId): Promise<boolean> {
  const text: unknown = await db('tel_text_files').where({ file_id: id }).first('file_id');
  return text !== undefined || (await db('tel_faxes').where({ file_id: id }).first('id')) !== undefined;
}
