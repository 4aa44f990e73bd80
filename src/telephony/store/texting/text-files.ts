/** Rows of tel_text_files: which files belong to which texts. */
import type { Knex } from 'knex';
import { groupBy } from '../../../kernel/group';
import type { Statement } from '../../../kernel/mysql/commit-statements';
import type { CompanyId } from '../../model/companies/company';
import { isFilled } from '../../model/files/file';
import type { TextId } from '../../model/texting/texting';
import type { MessageObject } from '../../model/texting/texting-wire';
import * as files from '../files/files';

export const attachment = (textId: TextId, fileIds: readonly string[]): Statement => ({
  sql: `INSERT INTO tel_text_files (text_id, position, file_id) VALUES ${fileIds.map(() => '(?, ?, ?)').join(', ')}`,
  bindings: fileIds.flatMap((id, position) => [textId, position, id]),
});

/** The file ids of each text, in order. */
export async function idsOf(db: Knex, textIds: readonly TextId[]): Promise<Map<TextId, string[]>> {
  if (textIds.length === 0) return new Map();
  const rows = (await db('tel_text_files')
    .whereIn('text_id', textIds)
    .orderBy(['text_id', 'position'])
    .select('text_id', 'file_id')) as { text_id: TextId; file_id: string }[];
  const grouped = groupBy(rows, (row) => row.text_id);
  return new Map([...grouped].map(([id, files]) => [id, files.map((file) => file.file_id)]));
}

/** The files of each text as messages show them. */
export async function ofTexts(db: Knex, textIds: readonly TextId[]): Promise<Map<TextId, MessageObject['files']>> {
  const ids = await idsOf(db, textIds);
  const shown = await files.present(db, await files.anyByIds(db, [...new Set([...ids.values()].flat())]));
  const byId = new Map(shown.map((file) => [file.id, file]));
  // A deleted file is still shown by its id.
  return new Map([...ids].map(([textId, own]) => [textId, own.map((id) => byId.get(id) ?? { id })]));
}

/** Filters the files to those that the company may send, in order. The caller must refuse missing ones. */
export async function usable(
  db: Knex,
  companyId: CompanyId,
  ids: readonly string[],
): Promise<{ readonly id: string }[]> {
  const found = (await files.byIds(db, companyId, ids)).filter(isFilled);
  const byId = new Map((await files.present(db, found)).map((file) => [file.id, file]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
