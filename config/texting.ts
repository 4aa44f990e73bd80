/** How texts, files and faxes are sent, and how large files may be. */
import { ms, variable, whole } from './kinds';

export const texting = {
  carrierCallMs: ms('CARRIER_CALL_MS', 10_000, 'Deadline of one call to a carrier.'),
  carrierUnknownMs: ms(
    'CARRIER_UNKNOWN_MS',
    60_000,
    'For so long a receipt is waited for when a carrier was called and its answer was lost; then the text has failed.',
  ),
  carrierGiveUpMs: ms('CARRIER_GIVE_UP_MS', 3_600_000, 'A text or fax that no carrier took for so long has failed.'),
  fileLimitBytes: variable('FILE_LIMIT_BYTES', whole(1, 1_073_741_824), 26_214_400, 'Largest file of a company.'),
  fileUrlMs: ms('FILE_URL_MS', 3_600_000, 'How long a signed address of a file works.'),
} as const;
