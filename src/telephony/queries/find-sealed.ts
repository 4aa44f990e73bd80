/** Returns any encrypted value of telephony, from a carrier account or else a PBX, to check the encryption key with. */
import type { Database } from '../../kernel/mysql/pool';
import { someCredentials } from '../store/sites/sites';
import { newestSealed } from '../store/texting/carrier-accounts';

export const findSealed = async (db: Database): Promise<string | undefined> =>
  (await newestSealed(db)) ?? someCredentials(db);
