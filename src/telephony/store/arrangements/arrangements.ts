/** Rows of tel_arrangements: ring groups, numbers from outside, and the forwards of extensions. */
import type { Knex } from 'knex';
import { newId } from '../../../kernel/id';
import {
  claimOf,
  type Arrangement,
  type ArrangementData,
  type ArrangementKind,
  type ForwardsData,
  type MadeKind,
  type Source,
} from '../../model/arrangements/arrangement';
import type { CompanyId } from '../../model/companies/company';
import type { ExtensionId } from '../../model/extensions/extension';
import type { Listed, Page } from '../../model/paging';
import type { Instance } from '../../model/sites/site';
import { firstOf, pageOf } from '../reads';

const TABLE = 'tel_arrangements';

interface Row {
  readonly id: string;
  readonly company_id: CompanyId;
  readonly instance: string;
  readonly kind: ArrangementKind;
  readonly number: number;
  readonly extension_id: ExtensionId | null;
  readonly is_visible: number;
  readonly data: string;
  readonly source: Source;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const arrangementOf = <Kind extends ArrangementKind>(row: Row): Arrangement<Kind> => ({
  id: row.id,
  companyId: row.company_id,
  instance: row.instance,
  kind: row.kind as Kind,
  number: row.number,
  extensionId: row.extension_id,
  data: JSON.parse(row.data) as ArrangementData[Kind],
  isVisible: row.is_visible === 1,
  source: row.source,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Reserves the number with a hidden row. */
export function reserve<Kind extends MadeKind>(
  db: Knex,
  instance: Pick<Instance, 'uuid' | 'address' | 'companyId'>,
  { id, kind, number, data }: Pick<Arrangement<Kind>, 'id' | 'kind' | 'number' | 'data'>,
): Knex.QueryBuilder {
  const now = db.raw('NOW(3)');
  return db(TABLE).insert({
    id,
    company_id: instance.companyId,
    instance: instance.uuid,
    kind,
    number,
    claim: claimOf(kind, instance, number),
    is_visible: false,
    data: JSON.stringify(data),
    source: 'order',
    created_at: now,
    updated_at: now,
  });
}

export async function show(db: Knex, id: string): Promise<void> {
  await db(TABLE).where({ id }).update({ is_visible: true });
}

export async function update(db: Knex, id: string, data: object): Promise<void> {
  await db(TABLE)
    .where({ id })
    .update({ data: JSON.stringify(data), source: 'order', updated_at: db.raw('NOW(3)') });
}

export async function remove(db: Knex, id: string): Promise<void> {
  await db(TABLE).where({ id }).delete();
}

/** Deletes one that is still hidden, which frees its number. */
export async function release(db: Knex, id: string): Promise<void> {
  await db(TABLE).where({ id, is_visible: false }).delete();
}

interface Whose {
  readonly id: ExtensionId;
  readonly companyId: CompanyId;
  readonly pbx: string;
  readonly number: number;
}

export async function saveForwards(db: Knex, of: Whose, data: ForwardsData, source: Source): Promise<void> {
  const now = db.raw('NOW(3)');
  const changing = { data: JSON.stringify(data), source, updated_at: now };
  await db(TABLE)
    .insert({
      id: newId(),
      company_id: of.companyId,
      instance: of.pbx,
      kind: 'forwards',
      number: of.number,
      extension_id: of.id,
      claim: claimOf('forwards', { uuid: of.pbx, address: '' }, of.number),
      is_visible: true,
      created_at: now,
      ...changing,
    })
    .onConflict(['kind', 'claim'])
    .merge(changing);
}

/** Any, including hidden ones. */
export const byId = <Kind extends ArrangementKind>(
  db: Knex,
  { instance, kind, id }: { readonly instance: string; readonly kind: Kind; readonly id: string },
): Promise<Arrangement<Kind> | undefined> => firstOf(db(TABLE).where({ instance, kind, id }), arrangementOf<Kind>);

export const byNumber = <Kind extends ArrangementKind>(
  db: Knex,
  { instance, kind, number }: { readonly instance: string; readonly kind: Kind; readonly number: number },
): Promise<Arrangement<Kind> | undefined> => firstOf(db(TABLE).where({ instance, kind, number }), arrangementOf<Kind>);

/** All of an instance, including hidden ones. */
export const ofInstance = async (db: Knex, instance: string): Promise<Arrangement[]> =>
  ((await db(TABLE).where({ instance }).orderBy('number')) as Row[]).map(arrangementOf);

export async function list<Kind extends MadeKind>(
  db: Knex,
  of: { readonly instance: string; readonly kind: Kind },
  page: Page,
): Promise<Listed<Arrangement<Kind>>> {
  const { items, total } = await pageOf<Row>(
    db,
    db(TABLE)
      .where({ ...of, is_visible: true })
      .orderBy('number'),
    page,
  );
  return { items: items.map(arrangementOf<Kind>), total };
}

export async function isOnInstance(db: Knex, instance: string): Promise<boolean> {
  return (await db(TABLE).where({ instance }).first('id')) !== undefined;
}

/** The PBX has moved, and its numbers from outside with it. */
export async function moveNumbers(db: Knex, instance: Pick<Instance, 'uuid' | 'address'>): Promise<void> {
  const prefix = claimOf('number', instance, 0).slice(0, -1);
  await db(TABLE)
    .where({ instance: instance.uuid, kind: 'number' })
    .update({ claim: db.raw('CONCAT(?, number)', [prefix]) });
}

/** Frees what creations have reserved that are over: a worker of the release before knew nothing of these rows. */
export async function releaseForgotten(db: Knex, instance: string): Promise<void> {
  const open = db('tel_operations')
    .whereRaw('tel_operations.extension_id = ??', [`${TABLE}.id`])
    .whereIn('state', ['pending', 'running']);
  await db(TABLE).where({ instance, is_visible: false }).whereNotExists(open).delete();
}
