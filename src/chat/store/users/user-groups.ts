/** Rows of chat_user_groups, and their members. */
import type { Knex } from 'knex';
import { mapRead, readOf, together, type Read } from '../../../kernel/mysql/read-packet';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { grouped } from '../rows';

export interface UserGroup {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly members: readonly UserId[];
}

type Row = Pick<UserGroup, 'id' | 'name' | 'description'>;

interface MemberRow {
  readonly group_id: number;
  readonly user_id: UserId;
}

async function withMembers(db: Knex, rows: readonly Row[]): Promise<UserGroup[]> {
  const ids = rows.map(({ id }) => id);
  return groupsOf(
    rows,
    (await db('chat_user_group_members').whereIn('group_id', ids).orderBy('user_id')) as MemberRow[],
  );
}

function groupsOf(rows: readonly Row[], memberRows: readonly MemberRow[]): UserGroup[] {
  const members = grouped(memberRows.map((row) => [row.group_id, row.user_id]));
  return rows.map(({ id, name, description }) => ({ id, name, description, members: members.get(id) ?? [] }));
}

export function listRead(realmId: RealmId): Read<UserGroup[]> {
  const all = together({
    rows: readOf(
      'SELECT id, name, description FROM chat_user_groups WHERE realm_id = ? ORDER BY id',
      [realmId],
      (rows: readonly Row[]) => rows,
    ),
    members: readOf(
      'SELECT m.group_id, m.user_id FROM chat_user_groups g JOIN chat_user_group_members m ON m.group_id = g.id ' +
        'WHERE g.realm_id = ? ORDER BY m.user_id',
      [realmId],
      (rows: readonly MemberRow[]) => rows,
    ),
  });
  return mapRead(all, ({ rows, members }) => groupsOf(rows, members));
}

/** The groups with exactly these names, for mentions. */
export async function byNames(db: Knex, realmId: RealmId, names: readonly string[]): Promise<UserGroup[]> {
  if (names.length === 0) return [];
  return withMembers(
    db,
    (await db('chat_user_groups').where({ realm_id: realmId }).whereIn('name', names).orderBy('id')) as Row[],
  );
}

/** Locks a group for a change. */
export async function lock(db: Knex, realmId: RealmId, id: number): Promise<UserGroup | undefined> {
  const row = (await db('chat_user_groups').where({ realm_id: realmId, id }).forUpdate().first()) as Row | undefined;
  return row && (await withMembers(db, [row]))[0];
}

export async function insert(db: Knex, realmId: RealmId, group: Omit<UserGroup, 'id'>): Promise<number> {
  const { name, description, members } = group;
  const [id] = await db('chat_user_groups').insert({ realm_id: realmId, name, description });
  await addMembers(db, id!, members);
  return id!;
}

export async function update(db: Knex, id: number, change: Partial<Pick<UserGroup, 'name' | 'description'>>) {
  await db('chat_user_groups').where({ id }).update(change);
}

export async function addMembers(db: Knex, id: number, members: readonly UserId[]): Promise<void> {
  if (members.length === 0) return;
  await db('chat_user_group_members').insert(members.map((userId) => ({ group_id: id, user_id: userId })));
}

export async function removeMembers(db: Knex, id: number, members: readonly UserId[]): Promise<void> {
  await db('chat_user_group_members').where({ group_id: id }).whereIn('user_id', members).delete();
}

export async function remove(db: Knex, id: number): Promise<void> {
  await db('chat_user_groups').where({ id }).delete();
}
