/** Stores records of the files of an inbound text. The carrier keeps the content. */
import { newId } from '../../../kernel/id';
import type { Tx } from '../../../kernel/mysql/transaction';
import { safeName, safeType } from '../../../kernel/files/stored-file';
import type { CompanyId } from '../../model/companies/company';
import type { FileId } from '../../model/files/file';
import type { InboundMedia, TextingContactId } from '../../model/texting/texting';
import * as files from '../../store/files/files';

/** As many as a message shows. */
const MAX_KEPT = 10;

export interface Owner {
  readonly companyId: CompanyId;
  /** The sender. */
  readonly userId: TextingContactId;
  readonly at: Date;
}

/** Returns the files as messages show them. */
export async function keepMedia(
  { db }: Tx,
  { companyId, userId, at }: Owner,
  media: readonly InboundMedia[],
): Promise<{ readonly id: string }[]> {
  const kept = [];
  for (const { url, contentType, size } of media.slice(0, MAX_KEPT)) {
    const name = nameOf(url);
    const facts = { companyId, userId, name, uploadedName: name, description: '', sourceUrl: url };
    const file = { ...facts, mimetype: safeType(contentType), size: size ?? 0, createdAt: at, uploadedAt: at };
    kept.push(await files.insert(db, { id: newId() as FileId, ...file }));
  }
  return files.present(db, kept);
}

/** The last part of the URL's path. */
function nameOf(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : '';
  try {
    return safeName(decodeURIComponent(path));
  } catch {
    return safeName(path);
  }
}
