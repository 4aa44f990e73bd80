/** Rows of tel_keys: only hashes, a key is shown once. */
import type { Knex } from 'knex';
import { emailKey } from '../../kernel/email-key';
import { send } from '../../kernel/mysql/direct';
import type { CompanyId } from '../model/company';
import type { ContactId } from '../model/contact';

const CALLER =
  'SELECT k.company_id AS companyId, c.id AS contactId, c.is_primary AS isPrimary FROM tel_keys AS k ' +
  'LEFT JOIN tel_contacts AS c ON c.company_id = k.company_id AND c.is_activated = true AND ';

export type CallerRow = Pick<EntrantRow, 'companyId' | 'contactId' | 'isPrimary'>;

/** Of a key, its company and the contact in it as whom a request acts, by id or the primary one; never a disabled one. */
export async function callerOf(db: Knex, keyHash: string, who: ContactId | 'primary'): Promise<CallerRow | undefined> {
  const isThem = who === 'primary' ? 'c.is_primary = true' : 'c.id = ?';
  const bindings = who === 'primary' ? [keyHash] : [who, keyHash];
  const rows = (await send(db, `${CALLER}${isThem} WHERE k.key_hash = ? LIMIT 1`, bindings)) as CallerRow[];
  return rows[0];
}

/** Of a key, its company and the user of this address in it, or the primary one; never a disabled one. */
export async function entrantOf(db: Knex, keyHash: string, email: string | undefined): Promise<EntrantRow | undefined> {
  return (await db('tel_keys AS k')
    .leftJoin('tel_contacts AS c', (on) => {
      on.on('c.company_id', 'k.company_id').andOnVal('c.is_activated', true);
      if (email === undefined) on.andOnVal('c.is_primary', true);
      else {
        // A row that the release before has just added has no key yet.
        on.andOn((either) => {
          either.onVal('c.work_email_key', emailKey(email)).orOn((late) => {
            late.onNull('c.work_email_key').andOnVal('c.work_email', email);
          });
        });
      }
    })
    .where('k.key_hash', keyHash)
    .first(
      { companyId: 'k.company_id', contactId: 'c.id', isPrimary: 'c.is_primary' },
      db.raw('c.last_enter_at > NOW(3) - INTERVAL 1 SECOND AS enteredLately'),
    )) as EntrantRow | undefined;
}

export interface EntrantRow {
  readonly companyId: CompanyId;
  readonly contactId: ContactId | null;
  readonly isPrimary: number | null;
  readonly enteredLately: number | null;
}

export async function hashesOf(db: Knex, companyId: CompanyId): Promise<string[]> {
  return (await db('tel_keys').where({ company_id: companyId }).pluck('key_hash')) as string[];
}

export async function insert(db: Knex, companyId: CompanyId, keyHash: string): Promise<void> {
  await db('tel_keys').insert({ key_hash: keyHash, company_id: companyId, created_at: db.raw('NOW(3)') });
}

export async function removeAll(db: Knex, companyId: CompanyId): Promise<void> {
  await db('tel_keys').where({ company_id: companyId }).delete();
}
