/** Companies as operators see them, with their size and last activity. */
import type { Knex } from 'knex';
import type { CompanyId } from '../../model/companies/company';

export interface CompanySize {
  readonly id: CompanyId;
  readonly name: string;
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly lastEnteredAt: Date | null;
  readonly people: number;
  readonly extensions: number;
  readonly conversations: number;
}

export interface WantedCompanies {
  readonly id?: string | undefined;
  readonly search?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export async function list(db: Knex, { id, search, after, limit }: WantedCompanies): Promise<CompanySize[]> {
  type Row = { id: CompanyId; name: string; status: string; created_at: Date };
  const wanted = db('tel_companies').orderBy('id').limit(limit);
  if (id !== undefined) wanted.where({ id });
  if (after !== undefined) wanted.where('id', '>', after);
  if (search !== undefined) wanted.where('name', 'like', `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
  const rows = (await wanted.select('id', 'name', 'status', 'created_at')) as Row[];
  const ids = rows.map((row) => row.id);
  const countIn = async (table: string): Promise<Map<CompanyId, number>> => {
    const counted = (await db(table)
      .whereIn('company_id', ids)
      .groupBy('company_id')
      .select({ id: 'company_id' })
      .count({ count: '*' })) as { id: CompanyId; count: number }[];
    return new Map(counted.map((each) => [each.id, each.count]));
  };
  const [people, extensions, conversations, entered] = await Promise.all([
    countIn('tel_contacts'),
    countIn('tel_extensions'),
    countIn('tel_conversations'),
    db('tel_contacts').whereIn('company_id', ids).groupBy('company_id').select({ id: 'company_id' }).max({
      at: 'last_enter_at',
    }) as unknown as Promise<{ id: CompanyId; at: Date | null }[]>,
  ]);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    isActive: row.status === 'active',
    createdAt: row.created_at,
    lastEnteredAt: entered.find((each) => each.id === row.id)?.at ?? null,
    people: people.get(row.id) ?? 0,
    extensions: extensions.get(row.id) ?? 0,
    conversations: conversations.get(row.id) ?? 0,
  }));
}

export async function setActive(db: Knex, id: CompanyId, isActive: boolean): Promise<void> {
  await db('tel_companies')
    .where({ id })
    .update({ status: isActive ? 'active' : 'inactive', updated_at: db.raw('NOW(3)') });
}
