/** The files of texts: URLs from which a carrier fetches ours, and records of those it keeps. */
import { newId } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import type { Tx } from '../../../kernel/mysql/transaction';
import { safeName, safeType } from '../../../kernel/files/stored-file';
import type { CompanyId } from '../../model/companies/company';
import { signedPath, type FileId } from '../../model/files/file';
import type { OutboundText, InboundMedia, TextingContactId } from '../../model/texting/texting';
import type { TelephonySettings } from '../../settings';
import * as files from '../../store/files/files';

/** Carriers fetch soon, and retry after failures. */
const FETCHED_WITHIN_MS = 24 * 3_600_000;

export async function fileAddresses(
  { mysql, secrets, clock }: Storage,
  { publicUrl }: TelephonySettings,
  { companyId, fileIds }: Pick<OutboundText, 'companyId' | 'fileIds'>,
): Promise<string[]> {
  const found = new Map((await files.byIds(mysql, companyId, fileIds)).map((file) => [file.id as string, file]));
  const until = new Date(clock.now().getTime() + FETCHED_WITHIN_MS);
  return fileIds.flatMap((id) => {
    const file = found.get(id);
    if (!file) return [];
    return [file.sourceUrl ?? `${publicUrl.replace(/\/+$/, '')}${signedPath(secrets, file, until)}`];
  });
}

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
