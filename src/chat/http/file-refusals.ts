/** What requests for files and pictures may be refused with, by route. */
import type { Fault } from '../../kernel/fault';
import { noSuchFile } from '../model/user-faults';

export const FILE_REFUSALS: Readonly<Record<string, readonly Fault[]>> = {
  'get /:realm_id/:shelf/:token/:name': [noSuchFile()],
  'get /:realm_id/emoji/images/:file': [noSuchFile()],
  'get /images-google-64/:file': [noSuchFile()],
  'get /images/emoji/unicode/:file': [noSuchFile()],
  'get /images/emoji/:file': [noSuchFile()],
};
