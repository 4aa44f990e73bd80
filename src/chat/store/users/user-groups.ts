/** Rows of chat_user_groups, their members, and the groups in them. */
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
  /** The groups directly in it. */
  readonly subgroups: readonly number[];
}

type Row = Pick<UserGroup, 'id' | 'name' | 'description'>;

interface SubgroupRow {
  readonly group_id: number;
  readonly subgroup_id: number;
}

interface MemberRow {
  readonly group_id: number;
  readonly user_id: UserId;
}

function groupsOf(
  rows: readonly Row[],
  memberRows: readonly MemberRow[],
  subgroupRows: readonly SubgroupRow[],
): UserGroup[] {
  const members = grouped(memberRows.map((row) => [row.group_id, row.user_id]));
  const subgroups = grouped(subgroupRows.map((row) => [row.group_id, row.subgroup_id]));
  return rows.map(({ id, name, description }) => ({
    id,
    name,
    description,
    members: members.get(id) ?? [],
    subgroups: subgroups.get(id) ?? [],
  }));
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
    subgroups: readOf(
      'SELECT s.group_id, s.subgroup_id FROM chat_user_groups g ' +
        'JOIN chat_user_group_subgroups s ON s.group_id = g.id WHERE g.realm_id = ? ORDER BY s.subgroup_id',
      [realmId],
      (rows: readonly SubgroupRow[]) => rows,
    ),
  });
  return mapRead(all, ({ rows, members, subgroups }) => groupsOf(rows, members, subgroups));
}

const WITHIN =
  'WITH RECURSIVE within (root, id) AS (SELECT id, id FROM chat_user_groups WHERE id IN (?) UNION ' +
  'SELECT w.root, s.subgroup_id FROM within w JOIN chat_user_group_subgroups s ON s.group_id = w.id) ';

/** The groups with exactly these names, for mentions, with the members of all groups in them. */
export async function byNames(db: Knex, realmId: RealmId, names: readonly string[]): Promise<MentionedGroup[]> {
  if (names.length === 0) return [];
  const rows = (await db('chat_user_groups')
    .where({ realm_id: realmId })
    .whereIn('name', names)
    .orderBy('id')
    .select('id', 'name')) as Pick<Row, 'id' | 'name'>[];
  if (rows.length === 0) return [];
  const members = await membersWithin(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, name }) => ({ id, name, members: members.get(id) ?? [] }));
}

export interface MentionedGroup {
  readonly id: number;
  readonly name: string;
  readonly members: readonly UserId[];
}

/** The members of each of these groups, including those of the groups in it, each once. */
export async function membersWithin(db: Knex, ids: readonly number[]): Promise<Map<number, UserId[]>> {
  const [rows] = (await db.raw(
    `${WITHIN} SELECT DISTINCT w.root AS group_id, m.user_id FROM within w ` +
      'JOIN chat_user_group_members m ON m.group_id = w.id ORDER BY m.user_id',
    [[...ids]],
  )) as [MemberRow[]];
  return grouped(rows.map((row) => [row.group_id, row.user_id]));
}

/** The groups in this one, at any depth, and the group itself. */
export async function idsWithin(db: Knex, id: number): Promise<Set<number>> {
  const [rows] = (await db.raw(`${WITHIN} SELECT id FROM within`, [[id]])) as [{ id: number }[]];
  return new Set(rows.map((row) => row.id));
}

export const find = (db: Knex, realmId: RealmId, id: number): Promise<UserGroup | undefined> =>
  loaded(db, db('chat_user_groups').where({ realm_id: realmId, id }).first());

/** Locks a group for a change. */
export const lock = (db: Knex, realmId: RealmId, id: number): Promise<UserGroup | undefined> =>
  loaded(db, db('chat_user_groups').where({ realm_id: realmId, id }).forUpdate().first());

async function loaded(db: Knex, query: PromiseLike<unknown>): Promise<UserGroup | undefined> {
  const row = (await query) as Row | undefined;
  if (!row) return undefined;
  const members = (await db('chat_user_group_members').where({ group_id: row.id }).orderBy('user_id')) as MemberRow[];
  const subgroups = (await db('chat_user_group_subgroups')
    .where({ group_id: row.id })
    .orderBy('subgroup_id')) as SubgroupRow[];
  return groupsOf([row], members, subgroups)[0];
}

/** Those of these groups that the organisation has. */
export async function existing(db: Knex, realmId: RealmId, ids: readonly number[]): Promise<Set<number>> {
  return new Set(
    (await db('chat_user_groups').where({ realm_id: realmId }).whereIn('id', ids).pluck('id')) as number[],
  );
}

export async function addSubgroups(db: Knex, id: number, subgroups: readonly number[]): Promise<void> {
  await db('chat_user_group_subgroups').insert(subgroups.map((subgroup) => ({ group_id: id, subgroup_id: subgroup })));
}

export async function removeSubgroups(db: Knex, id: number, subgroups: readonly number[]): Promise<void> {
  await db('chat_user_group_subgroups').where({ group_id: id }).whereIn('subgroup_id', subgroups).delete();
}

export async function insert(db: Knex, realmId: RealmId, group: Omit<UserGroup, 'id' | 'subgroups'>): Promise<number> {
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
