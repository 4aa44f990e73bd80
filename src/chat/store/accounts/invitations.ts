/** Rows of chat_invitations. Accepted and revoked invitations are deleted. */
import type { Knex } from 'knex';
import { emailKey, isSameEmail } from '../../../kernel/secrets/email-key';
import type { Invitation } from '../../model/accounts/invitation';
import type { StoredToken } from '../../model/mail/mail';
import type { RealmId } from '../../model/organisation/realm';
import { titleWith } from '../../model/users/role';
import type { Role, Title, UserId } from '../../model/users/user';
import { forgetRows, readAll, readColumn, readOne } from '../rows';

interface Row {
  id: number;
  realm_id: RealmId;
  inviter_id: UserId;
  email: string | null;
  role: Role;
  title: Title | null;
  stream_ids: string;
  nonce: string;
  invited_at: Date;
  expires_at: Date;
  uses: number;
  max_uses: number | null;
  link_id: number | null;
}

/** Stands for no end. */
const NEVER = new Date('9000-01-01T00:00:00Z');

const invitationOf = (row: Row): Invitation => ({
  id: row.id,
  realmId: row.realm_id,
  inviterId: row.inviter_id,
  email: row.email,
  role: row.role,
  title: titleWith(row.role, row.title),
  streamIds: JSON.parse(row.stream_ids) as number[],
  nonce: row.nonce,
  invitedAt: row.invited_at,
  expiresAt: row.expires_at >= NEVER ? null : row.expires_at,
  uses: row.uses,
  maxUses: row.max_uses,
  linkId: row.link_id,
});

export interface NewInvitation extends Pick<Invitation, 'realmId' | 'inviterId' | 'email' | 'role' | 'streamIds'> {
  readonly title?: Title | null;
  readonly token: StoredToken;
  /** Null: until it is revoked. */
  readonly minutes: number | null;
  readonly maxUses?: number | undefined;
  readonly linkId?: number | undefined;
}

export async function insert(db: Knex, invitation: NewInvitation): Promise<number> {
  const { realmId, inviterId, email, role, title, streamIds, token, minutes, maxUses, linkId } = invitation;
  const [id] = await db('chat_invitations').insert({
    realm_id: realmId,
    inviter_id: inviterId,
    email,
    email_key: email === null ? null : emailKey(email),
    role,
    title: title ?? null,
    stream_ids: JSON.stringify(streamIds),
    nonce: token.nonce,
    token_hash: token.tokenHash,
    invited_at: db.raw('NOW(3)'),
    expires_at: minutes === null ? NEVER : db.raw('NOW(3) + INTERVAL ? MINUTE', [minutes]),
    max_uses: maxUses ?? null,
    link_id: linkId ?? null,
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

/** Open invitations, of one inviter or of all: those to addresses first, then the reusable links. */
export function list(db: Knex, realmId: RealmId, inviterId?: UserId): Promise<Invitation[]> {
  const whose = inviterId === undefined ? {} : { inviter_id: inviterId };
  return readAll(
    valid(db)
      .where({ realm_id: realmId, ...whose })
      .orderByRaw('email IS NULL, id'),
    invitationOf,
  );
}

/** Locks the reusable link with this id, even an expired one, to count its uses. */
export const lockLink = (db: Knex, id: number): Promise<Invitation | undefined> =>
  readOne(db('chat_invitations').where({ id }).forUpdate().first(), invitationOf);

export async function countLinks(db: Knex, inviterId: UserId): Promise<number> {
  const [row] = await valid(db).where({ inviter_id: inviterId }).whereNull('email').count({ count: '*' });
  return Number(row!['count']);
}

export async function countUse(db: Knex, id: number): Promise<void> {
  await db('chat_invitations').where({ id }).increment('uses');
}

export type Sort = 'personal' | 'reusable';

/** Locks an invitation of this kind for a change: an id of the other kind is not found. */
export async function lock(db: Knex, realmId: RealmId, id: number, sort: Sort): Promise<Invitation | undefined> {
  const found = valid(db).where({ realm_id: realmId, id });
  const ofSort = sort === 'personal' ? found.whereNotNull('email') : found.whereNull('email');
  return readOne(ofSort.forUpdate().first(), invitationOf);
}

/** Ends a reusable link. It is kept while mail is open that was requested with it, to count its uses. */
export async function end(db: Knex, id: number): Promise<void> {
  await db('chat_invitations')
    .where({ id })
    .update({ expires_at: db.raw('NOW(3)') });
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

/** Restarts an invitation's validity, for as long as before. Returns the new start. */
export async function renew(db: Knex, { id, invitedAt, expiresAt }: Invitation): Promise<Date> {
  const seconds = expiresAt === null ? null : Math.round((expiresAt.getTime() - invitedAt.getTime()) / 1000);
  await db('chat_invitations')
    .where({ id })
    .update({
      invited_at: db.raw('NOW(3)'),
      ...(seconds === null ? {} : { expires_at: db.raw('NOW(3) + INTERVAL ? SECOND', [seconds]) }),
    });
  return (await readColumn<Date>(db('chat_invitations').where({ id }), 'invited_at'))!;
}

export async function forgetExpired(db: Knex): Promise<void> {
  const links = (await valid(db).whereNotNull('link_id').distinct('link_id').pluck('link_id')) as number[];
  await forgetRows(db('chat_invitations').where('expires_at', '<', db.raw('NOW(3)')).whereNotIn('id', links), 'id');
}
