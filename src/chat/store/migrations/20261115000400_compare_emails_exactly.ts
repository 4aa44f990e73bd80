/** Accounts are told apart by exact addresses, unlike in the collation, which takes many spellings for one. */
import type { Knex } from 'knex';
import { addEmailKeys, removeEmailKeys } from '../../../kernel/mysql/add-email-keys';

const columns = { table: 'chat_users', owner: 'realm_id', email: 'email', key: 'email_key' };

export const up = (db: Knex): Promise<void> => addEmailKeys(db, columns);
export const down = (db: Knex): Promise<void> => removeEmailKeys(db, columns);
