/** Rows of tel_sessions. */
import type { Knex } from 'knex';
import * as sqlParts from '../../../kernel/mysql/sql-parts';
import { send } from '../../../kernel/mysql/direct';
import type { Browser } from '../../../kernel/sessions/page-session';
import type { CompanyId } from '../../model/companies/company';
import type { ContactId } from '../../model/contacts/contact';
import type { OpenedBy, Session, SessionId } from '../../model/portal/portal';

export interface NewSession extends Browser {
  readonly contactId: ContactId;
  readonly tokenHash: string;
  readonly keyHash: string | null;
  readonly openedBy: OpenedBy;
}

export async function insert(db: Knex, session: NewSession): Promise<SessionId> {
  const [id] = await db('tel_sessions').insert({
    contact_id: session.contactId,
    token_hash: session.tokenHash,
    key_hash: session.keyHash,
    opened_by: session.openedBy,
    agent: session.agent,
    address: session.address,
    created_at: db.raw('NOW(3)'),
    last_used_at: db.raw('NOW(3)'),
  });
  return id as SessionId;
}

export interface FoundSession {
  readonly id: SessionId;
  readonly tokenHash: string;
  readonly openedBy: OpenedBy;
  readonly ageSeconds: number;
  readonly unusedSeconds: number;
  /** Milliseconds until the key that opened the session expires; null without a key or expiry. */
  readonly leftMs: number | null;
  readonly companyId: CompanyId;
  readonly contactId: ContactId;
  readonly isPrimary: number;
}

/** Excludes sessions of deleted or disabled contacts, inactive companies, and deleted or expired keys. */
const VALID =
  'FROM tel_sessions AS s JOIN tel_contacts AS c ON c.id = s.contact_id AND c.is_activated = true ' +
  "JOIN tel_companies AS o ON o.id = c.company_id AND o.status = 'active' " +
  'LEFT JOIN tel_keys AS k ON k.key_hash = s.key_hash ' +
  'WHERE (s.key_hash IS NULL OR (k.key_hash IS NOT NULL AND (k.ends_at IS NULL OR k.ends_at > NOW(3)))) AND ';

const FOUND =
  'SELECT s.id, s.token_hash AS tokenHash, s.opened_by AS openedBy, ' +
  'TIMESTAMPDIFF(SECOND, s.created_at, NOW(3)) AS ageSeconds, ' +
  'TIMESTAMPDIFF(SECOND, s.last_used_at, NOW(3)) AS unusedSeconds, ' +
  'TIMESTAMPDIFF(MICROSECOND, NOW(3), k.ends_at) DIV 1000 AS leftMs, ' +
  'c.company_id AS companyId, c.id AS contactId, c.is_primary AS isPrimary ' +
  `${VALID}s.last_used_at > NOW(3) - INTERVAL ? DAY AND `;

/** Returns undefined if the session does not exist or was not used for this many days. */
export async function byTokenHash(db: Knex, tokenHash: string, days: number): Promise<FoundSession | undefined> {
  const [row] = (await send(db, `${FOUND}s.token_hash = ? LIMIT 1`, [days, tokenHash])) as [FoundSession?];
  return row;
}

export async function byId(db: Knex, id: number, days: number): Promise<FoundSession | undefined> {
  const [row] = (await send(db, `${FOUND}s.id = ? LIMIT 1`, [days, id])) as [FoundSession?];
  return row;
}

/** The token hashes of these contacts' valid sessions. */
export async function hashesOf(db: Knex, contactIds: readonly ContactId[]): Promise<string[]> {
  if (contactIds.length === 0) return [];
  const places = contactIds.map(() => '?').join(', ');
  const rows = await send(db, `SELECT s.token_hash AS hash ${VALID}s.contact_id IN (${places})`, contactIds);
  return (rows as { hash: string }[]).map(({ hash }) => hash);
}

export async function noteUse(db: Knex, id: SessionId): Promise<void> {
  await db('tel_sessions')
    .where({ id })
    .update({ last_used_at: db.raw('NOW(3)') });
}

/** Most recently used first. */
export async function list(db: Knex, contactId: ContactId, days: number): Promise<Session[]> {
  return (await db('tel_sessions')
    .where({ contact_id: contactId })
    .whereRaw('last_used_at > NOW(3) - INTERVAL ? DAY', [days])
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .select('id', 'agent', 'address', {
      openedBy: 'opened_by',
      createdAt: 'created_at',
      lastUsedAt: 'last_used_at',
    })) as Session[];
}

export async function remove(db: Knex, contactId: ContactId, id: number): Promise<boolean> {
  return (await db('tel_sessions').where({ id, contact_id: contactId }).delete()) > 0;
}

/** Deletes all sessions of a contact except the one with this hash. */
export async function removeAllOf(db: Knex, contactId: ContactId, keptHash = ''): Promise<number> {
  return db('tel_sessions').where({ contact_id: contactId }).whereNot({ token_hash: keptHash }).delete();
}

/** Deletes the sessions that these keys opened. */
export async function removeOfKeys(db: Knex, keyHashes: readonly string[]): Promise<void> {
  await db('tel_sessions').whereIn('key_hash', keyHashes).delete();
}

export async function removeOfCompany(db: Knex, companyId: CompanyId): Promise<void> {
  const contacts = db('tel_contacts').where({ company_id: companyId }).select('id');
  await db('tel_sessions').whereIn('contact_id', contacts).delete();
}

/** Deletes the least recently used sessions beyond this number. */
export const removeBeyond = (db: Knex, contactId: ContactId, most: number): Promise<number> =>
  sqlParts.removeBeyond(db, 'tel_sessions', { contact_id: contactId }, most);
