/** Rows of chat_invitations. Accepted and revoked invitations are deleted. */
import type { Knex } from 'knex';
import { emailKey, isSameEmail } from '../../../kernel/secrets/email-key';
import type { Invitation } from '../../model/accounts/invitation';
import type { StoredToken } from '../../model/mail/mail';
import type { RealmId } from '../../model/organisation/realm';
import type { Role, UserId } from '../../model/users/user';
import { forgetRows, readAll, readColumn, readOne } from '../rows';

interface Row {
  id: number;
  realm_id: RealmId;
  inviter_id: UserId;
  email: string | null;
  role: Role;
  stream_ids: string;
  nonce: string;
  invited_at: Date;
  expires_at: Date;
}

const invitationOf = (row: Row): Invitation => ({
  id: row.id,
  realmId: row.realm_id,
  inviterId: row.inviter_id,
  email: row.email,
  role: row.role,
  streamIds: JSON.parse(row.stream_ids) as number[],
  nonce: row.nonce,
  invitedAt: row.invited_at,
  expiresAt: row.expires_at,
});

export interface NewInvitation extends Pick<Invitation, 'realmId' | 'inviterId' | 'email' | 'role' | 'streamIds'> {
  readonly token: StoredToken;
  readonly days: number;
}

const inDays = (db: Knex, days: number) => db.raw('NOW(3) + INTERVAL ? DAY', [days]);

export async function insert(db: Knex, invitation: NewInvitation): Promise<number> {
  const { realmId, inviterId, email, role, streamIds, token, days } = invitation;
  const [id] = await db('chat_invitations').insert({
    realm_id: realmId,
    inviter_id: inviterId,
    email,
    email_key: email === null ? null : emailKey(email),
    role,
    stream_ids: JSON.stringify(streamIds),
    nonce: token.nonce,
    token_hash: token.tokenHash,
    invited_at: db.raw('NOW(3)'),
    expires_at: inDays(db, days),
  });
  return id!;
}

const valid = (db: Knex) => db('chat_invitations').where('expires_at', '>', db.raw('NOW(3)'));

export const byTokenHash = (db: Knex, tokenHash: string): Promise<Invitation | undefined> =>
  readOne(valid(db).where({ token_hash: tokenHash }).first(), invitationOf);

/** Locks an invitation for acceptance. A concurrent acceptance waits, and then finds it gone. */
export const lockByTokenHash = (db: Knex, tokenHash: string): Promise<Invitation | undefined> =>
  readOne(valid(db).where({ token_hash: tokenHash }).forUpdate().first(), invitationOf);

export const byId = (db: Knex, id: number): Promise<Invitation | undefined> =>
  readOne(valid(db).where({ id }).first(), invitationOf);

/** Open invitations: those to addresses first, then the reusable links. */
export const list = (db: Knex, realmId: RealmId): Promise<Invitation[]> =>
  readAll(valid(db).where({ realm_id: realmId }).orderByRaw('email IS NULL, id'), invitationOf);

export type Sort = 'personal' | 'reusable';

/** Locks an invitation of this kind for a change: an id of the other kind is not found. */
export async function lock(db: Knex, realmId: RealmId, id: number, sort: Sort): Promise<Invitation | undefined> {
  const found = valid(db).where({ realm_id: realmId, id });
  const ofSort = sort === 'personal' ? found.whereNotNull('email') : found.whereNull('email');
  return readOne(ofSort.forUpdate().first(), invitationOf);
}

export async function remove(db: Knex, id: number): Promise<void> {
  await db('chat_invitations').where({ id }).delete();
}

/** Removes all invitations to an address, once it has an account. */
export async function removeAllTo(db: Knex, realmId: RealmId, email: string): Promise<void> {
  const rows = (await db('chat_invitations')
    .where({ realm_id: realmId, email_key: emailKey(email) })
    .select('id', 'email')) as { id: number; email: string }[];
  const ids = rows.filter((row) => isSameEmail(row.email, email)).map(({ id }) => id);
  await db('chat_invitations').whereIn('id', ids).delete();
}

/** Restarts an invitation's validity. Returns the new start. */
export async function renew(db: Knex, id: number, days: number): Promise<Date> {
  await db('chat_invitations')
    .where({ id })
    .update({ invited_at: db.raw('NOW(3)'), expires_at: inDays(db, days) });
  return (await readColumn<Date>(db('chat_invitations').where({ id }), 'invited_at'))!;
}

export const forgetExpired = (db: Knex): Promise<void> =>
  forgetRows(db('chat_invitations').where('expires_at', '<', db.raw('NOW(3)')), 'id');
