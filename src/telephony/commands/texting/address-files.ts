/** Builds the URLs from which a carrier fetches the files of a text. */
import type { Kernel } from '../../../kernel/kernel';
import { signedPath } from '../../model/files/file';
import type { OutboundText } from '../../model/texting/texting';
import type { TelephonySettings } from '../../settings';
import * as files from '../../store/files/files';

/** Carriers fetch soon, and retry after failures. */
const FETCHED_WITHIN_MS = 24 * 3_600_000;

export async function fileAddresses(
  { mysql, secrets, clock }: Kernel,
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
