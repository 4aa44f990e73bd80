/** Pages of a company's conversations: the user's pinned ones first, then the others by the chosen sort order. */
import type { Knex } from 'knex';
import { countRows } from '../../../kernel/mysql/sql-parts';
import type { CompanyId } from '../../model/companies/company';
import type { Caller } from '../../model/contacts/contact';
import { offsetOf, type Listed, type Page } from '../../model/paging';
import type { Conversation } from '../../model/texting/conversation';
import type { ConversationType, E164 } from '../../model/texting/texting';
import { containing } from '../reads';
import { COLUMNS } from './conversations';
import { matchText } from './texting-contacts';

export type ConversationSort = 'last_activity' | 'created_at';

export interface ConversationQuery {
  readonly search?: string | undefined;
  /** The id of a texting contact. */
  readonly contactId?: string | undefined;
  readonly contactNumber?: E164 | undefined;
  readonly fromNumbers: readonly E164[];
  readonly type?: ConversationType | undefined;
  readonly sort: ConversationSort;
}

function matching(db: Knex, companyId: CompanyId, query: ConversationQuery): Knex.QueryBuilder {
  const { search, contactId, contactNumber, fromNumbers, type } = query;
  const found = db('tel_conversations as c').where({ 'c.company_id': companyId, 'c.is_deleted': false });
  if (type !== undefined) void found.where('c.conversation_type', type);
  if (fromNumbers.length > 0) void found.whereIn('c.from_number', fromNumbers);
  const withMember = (which: object | Knex.QueryCallback) =>
    db('tel_conversation_members as m')
      .join('tel_texting_contacts as k', 'k.id', 'm.contact_id')
      .where('k.company_id', companyId)
      .where(which)
      .select('m.conversation_id');
  if (contactId !== undefined) void found.whereIn('c.id', withMember({ 'k.id': contactId }));
  if (contactNumber !== undefined) void found.whereIn('c.id', withMember({ 'k.number': contactNumber }));
  if (search !== undefined) {
    const byMember = withMember((members) => matchText(members, search));
    void found.where((either) => void either.whereIn('c.id', byMember).orWhere('c.name', 'like', containing(search)));
  }
  return found;
}

const COLUMN: Readonly<Record<ConversationSort, string>> = {
  last_activity: 'c.last_activity_at',
  created_at: 'c.created_at',
};

/** Users pin only a few. Pins beyond this limit are listed as if not pinned. */
const MAX_PINNED = 100;

export async function page(
  db: Knex,
  { companyId, contactId }: Pick<Caller, 'companyId' | 'contactId'>,
  { query, page: wanted }: { query: ConversationQuery; page: Page },
): Promise<Listed<Conversation>> {
  const order = [
    { column: COLUMN[query.sort], order: 'desc' },
    { column: 'c.id', order: 'desc' },
  ];
  const [pinned, total] = await Promise.all([
    matching(db, companyId, query)
      .join('tel_conversation_views as v', 'v.conversation_id', 'c.id')
      .where('v.contact_id', contactId)
      .whereNotNull('v.pinned_at')
      .orderBy(order)
      .limit(MAX_PINNED)
      .select(COLUMNS) as unknown as Promise<Conversation[]>,
    countRows(matching(db, companyId, query)),
  ]);
  const first = offsetOf(wanted);
  const onTop = pinned.slice(first, first + wanted.size);
  const others = (await matching(db, companyId, query)
    .whereNotIn(
      'c.id',
      pinned.map(({ id }) => id),
    )
    .orderBy(order)
    .limit(wanted.size - onTop.length)
    .offset(Math.max(0, first - pinned.length))
    .select(COLUMNS)) as Conversation[];
  return { total, items: [...onTop, ...others] };
}
