/** Rows of tel_keys. Only hashes are stored, because a key is shown once. An expired key is treated as missing. */
import type { Knex } from 'knex';
import { countRows } from '../../../kernel/mysql/sql-parts';
import { emailKey, isSameEmail } from '../../../kernel/secrets/email-key';
import { send } from '../../../kernel/mysql/direct';
import type { CompanyId } from '../../model/companies/company';
import { KEY_ID_LENGTH, NOTE_KEY_USE_SECONDS, type NamedKey, type KeyRights } from '../../model/companies/key';
import type { ContactId } from '../../model/contacts/contact';

/** Whether the recorded last use is old enough to be updated. */
const UNNOTED = `k.last_used_at IS NULL OR k.last_used_at < NOW(3) - INTERVAL ${NOTE_KEY_USE_SECONDS} SECOND`;
const LEFT_MS = 'TIMESTAMPDIFF(MICROSECOND, NOW(3), k.ends_at) DIV 1000 AS leftMs';
const NOT_OVER = '(k.ends_at IS NULL OR k.ends_at > NOW(3))';

const CALLER =
  'SELECT k.company_id AS companyId, c.id AS contactId, c.is_primary AS isPrimary, k.rights, ' +
  `${UNNOTED} AS isUnnoted, ${LEFT_MS} FROM tel_keys AS k ` +
  "JOIN tel_companies AS t ON t.id = k.company_id AND t.status = 'active' " +
  'LEFT JOIN tel_contacts AS c ON c.company_id = k.company_id AND c.is_activated = true AND ';

export type CallerRow = Omit<SocketCallerRow, 'enteredLately'>;

/**
 * Finds a key's company and the contact that the request acts as: by id, or the primary one. Never a disabled contact.
 */
export async function callerOf(db: Knex, keyHash: string, who: ContactId | 'primary'): Promise<CallerRow | undefined> {
  const isThem = who === 'primary' ? 'c.is_primary = true' : 'c.id = ?';
  const bindings = who === 'primary' ? [keyHash] : [who, keyHash];
  const rows = (await send(
    db,
    `${CALLER}${isThem} WHERE k.key_hash = ? AND ${NOT_OVER} LIMIT 1`,
    bindings,
  )) as CallerRow[];
  return rows[0];
}

/** Finds a key's company and the contact with this address, or the primary one. Never a disabled contact. */
export async function socketCallerOf(
  db: Knex,
  keyHash: string,
  email: string | undefined,
): Promise<SocketCallerRow | undefined> {
  const row = (await db('tel_keys AS k')
    .join('tel_companies AS t', (on) => on.on('t.id', 'k.company_id').andOnVal('t.status', 'active'))
    .leftJoin('tel_contacts AS c', (on) => {
      on.on('c.company_id', 'k.company_id').andOnVal('c.is_activated', true);
      if (email === undefined) on.andOnVal('c.is_primary', true);
      // May only look like the address, which is compared below.
      else on.andOnVal('c.work_email_key', emailKey(email));
    })
    .where('k.key_hash', keyHash)
    .whereRaw(NOT_OVER)
    .first(
      {
        companyId: 'k.company_id',
        contactId: 'c.id',
        isPrimary: 'c.is_primary',
        rights: 'k.rights',
        workEmail: 'c.work_email',
      },
      db.raw(`${UNNOTED} AS isUnnoted`),
      db.raw('c.last_enter_at > NOW(3) - INTERVAL 1 SECOND AS enteredLately'),
      db.raw(LEFT_MS),
    )) as (SocketCallerRow & { readonly workEmail: string | null }) | undefined;
  if (!row) return undefined;
  const { workEmail, ...caller } = row;
  const isThem = email === undefined || (workEmail !== null && isSameEmail(workEmail, email));
  return isThem ? caller : { ...caller, contactId: null };
}

export interface SocketCallerRow {
  readonly companyId: CompanyId;
  readonly contactId: ContactId | null;
  readonly isPrimary: number | null;
  readonly rights: KeyRights;
  readonly isUnnoted: number;
  readonly enteredLately: number | null;
  /** Milliseconds until the key expires; null if it does not. */
  readonly leftMs: number | null;
}

/** Returns none while the company is not active. */
export async function hashesOf(db: Knex, companyId: CompanyId): Promise<string[]> {
  return (await db('tel_keys AS k')
    .join('tel_companies AS t', (on) => on.on('t.id', 'k.company_id').andOnVal('t.status', 'active'))
    .where({ company_id: companyId })
    .whereRaw(NOT_OVER)
    .pluck('key_hash')) as string[];
}

export type NewKey = Pick<NamedKey, 'name' | 'rights' | 'endsAt'>;

const FIRST_KEY: NewKey = { name: '', rights: 'write', endsAt: null };

// oxlint-disable-next-line max-params -- the owner, the hash and the key's settings
export async function insert(db: Knex, companyId: CompanyId, keyHash: string, key: NewKey = FIRST_KEY): Promise<void> {
  const { name, rights, endsAt } = key;
  const named = { name, rights, ends_at: endsAt, created_at: db.raw('NOW(3)') };
  await db('tel_keys').insert({ key_hash: keyHash, company_id: companyId, ...named });
}

/** Newest first. */
export async function list(db: Knex, companyId: CompanyId): Promise<NamedKey[]> {
  return (await db('tel_keys')
    .where({ company_id: companyId })
    .orderBy([{ column: 'created_at', order: 'desc' }, 'key_hash'])
    .select('name', 'rights', {
      id: db.raw('LEFT(key_hash, ?)', [KEY_ID_LENGTH]),
      createdAt: 'created_at',
      lastUsedAt: 'last_used_at',
      endsAt: 'ends_at',
    })) as NamedKey[];
}

export const count = (db: Knex, companyId: CompanyId): Promise<number> =>
  countRows(db('tel_keys').where({ company_id: companyId }));

/** The hash of the key with this id. */
export async function hashById(db: Knex, companyId: CompanyId, id: string): Promise<string | undefined> {
  const hashes = (await db('tel_keys').where({ company_id: companyId }).pluck('key_hash')) as string[];
  return hashes.find((hash) => hash.slice(0, KEY_ID_LENGTH) === id);
}

export async function remove(db: Knex, keyHash: string): Promise<void> {
  await db('tel_keys').where({ key_hash: keyHash }).delete();
}

/** The condition lets only one of several concurrent requests write. */
export async function noteUse(db: Knex, keyHash: string): Promise<void> {
  await db('tel_keys AS k')
    .where('k.key_hash', keyHash)
    .whereRaw(`(${UNNOTED})`)
    .update({ 'k.last_used_at': db.raw('NOW(3)') });
}

export async function removeAll(db: Knex, companyId: CompanyId): Promise<void> {
  await db('tel_keys').where({ company_id: companyId }).delete();
}
