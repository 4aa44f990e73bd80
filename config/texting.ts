/** How texts, files and faxes are sent, and how large files may be. */
import { milliseconds, variable, whole } from './kinds';

export const texting = {
  carrierCallMs: variable('CARRIER_CALL_MS', milliseconds, 10_000, 'Deadline of one call to a carrier.'),
  carrierUnknownMs: variable(
    'CARRIER_UNKNOWN_MS',
    milliseconds,
    60_000,
    'For so long a receipt is waited for when a carrier was called and its answer was lost; then the text has failed.',
  ),
  carrierGiveUpMs: variable(
    'CARRIER_GIVE_UP_MS',
    milliseconds,
    3_600_000,
    'A text or fax that no carrier took for so long has failed.',
  ),
  fileLimitBytes: variable('FILE_LIMIT_BYTES', whole(1, 1_073_741_824), 26_214_400, 'Largest file of a company.'),
  fileUrlMs: variable('FILE_URL_MS', milliseconds, 3_600_000, 'How long a signed address of a file works.'),
} as const;
