/** A text that telephony stored encrypted: of a carrier account or, where there is none, of a PBX. */
import type { Database } from '../../kernel/mysql/pool';
import { someCredentials } from '../store/sites/sites';
import { newestSealed } from '../store/texting/carrier-accounts';

export const findSealed = async (db: Database): Promise<string | undefined> =>
  (await newestSealed(db)) ?? someCredentials(db);
