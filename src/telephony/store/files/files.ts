/** Rows of tel_files, and their content in chunks. */
import type { Knex } from 'knex';
import { countRows } from '../../../kernel/mysql/sql-parts';
import type { CompanyId } from '../../model/companies/company';
import { fileObject, isOwnPreview, type FileFacts, type FileId } from '../../model/files/file';
import { offsetOf, type Page } from '../../model/paging';

interface Row {
  id: FileId;
  number: number;
  company_id: CompanyId;
  user_id: string | null;
  name: string;
  uploaded_name: string;
  description: string;
  mimetype: string;
  size: number;
  source_url: string | null;
  created_at: Date;
  uploaded_at: Date | null;
}

const fileOf = (row: Row): FileFacts => ({
  id: row.id,
  number: row.number,
  companyId: row.company_id,
  userId: row.user_id,
  name: row.name,
  uploadedName: row.uploaded_name,
  description: row.description,
  mimetype: row.mimetype,
  size: row.size,
  sourceUrl: row.source_url,
  createdAt: row.created_at,
  uploadedAt: row.uploaded_at,
});

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
  const row = (await db('tel_files').where({ company_id: companyId, id }).first()) as Row | undefined;
  return row && fileOf(row);
}

/** Finds a file of any company, for signed URLs. */
export async function anywhere(db: Knex, id: string): Promise<FileFacts | undefined> {
  const row = (await db('tel_files').where({ id }).first()) as Row | undefined;
  return row && fileOf(row);
}

/** In no particular order. */
export async function byIds(db: Knex, companyId: CompanyId, ids: readonly string[]): Promise<FileFacts[]> {
  if (ids.length === 0) return [];
  const rows = (await db('tel_files').where({ company_id: companyId }).whereIn('id', ids)) as Row[];
  return rows.map(fileOf);
}

/** Files of any company. The caller must have the ids from its own rows. */
export async function anyByIds(db: Knex, ids: readonly string[]): Promise<FileFacts[]> {
  if (ids.length === 0) return [];
  return ((await db('tel_files').whereIn('id', ids)) as Row[]).map(fileOf);
}

/** Locks this file's row. */
export async function lock(db: Knex, companyId: CompanyId, id: string): Promise<FileFacts | undefined> {
  const row = (await db('tel_files').where({ company_id: companyId, id }).forUpdate().first()) as Row | undefined;
  return row && fileOf(row);
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
  const row = (await db('tel_file_chunks').where({ file_id: id, place }).first('bytes')) as
    | { bytes: Buffer }
    | undefined;
  return row?.bytes;
}

/** The content of files that are their own preview. Such a file is a single chunk. */
export async function previewBytes(db: Knex, files: readonly FileFacts[]): Promise<Map<FileId, Buffer>> {
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

export const count = (db: Knex, companyId: CompanyId): Promise<number> =>
  countRows(db('tel_files').where({ company_id: companyId }));

/** Newest first. */
export async function list(db: Knex, companyId: CompanyId, page: Page): Promise<FileFacts[]> {
  const rows = (await db('tel_files')
    .where({ company_id: companyId })
    .orderBy('number', 'desc')
    .limit(page.size)
    .offset(offsetOf(page))) as Row[];
  return rows.map(fileOf);
}

/** Its content is deleted with it. */
export async function remove(db: Knex, id: FileId): Promise<void> {
  await db('tel_files').where({ id }).delete();
}

/** Whether a text or a fax uses the file. */
export async function isUsed(db: Knex, id: FileId): Promise<boolean> {
  const text: unknown = await db('tel_text_files').where({ file_id: id }).first('file_id');
  return text !== undefined || (await db('tel_faxes').where({ file_id: id }).first('id')) !== undefined;
}
