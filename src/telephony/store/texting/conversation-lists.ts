/** Pages of a company's conversations: the user's pinned ones first, then the others by the chosen sort order. */
import type { Knex } from 'knex';
import type { CompanyId } from '../../model/companies/company';
import type { ContactId } from '../../model/contacts/contact';
import { offsetOf, type Listed, type Page } from '../../model/paging';
import type { Conversation } from '../../model/texting/conversation';
import type { ConversationType, E164 } from '../../model/texting/texting';
import { conversationOf, type ConversationRow } from './conversations';
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

/** The user whose list it is. */
export interface Viewer {
  readonly companyId: CompanyId;
  readonly contactId: ContactId;
}

function matching(db: Knex, { companyId }: Viewer, query: ConversationQuery): Knex.QueryBuilder {
  const { search, contactId, contactNumber, fromNumbers, type } = query;
  const found = db('tel_conversations as c').where({ 'c.company_id': companyId, 'c.is_deleted': false });
  if (type !== undefined) void found.where('c.conversation_type', type);
  if (fromNumbers.length > 0) void found.whereIn('c.from_number', fromNumbers);
  const withMember = (of: (members: Knex.QueryBuilder) => void) => {
    const members = db('tel_conversation_members as m')
      .join('tel_texting_contacts as k', 'k.id', 'm.contact_id')
      .where('k.company_id', companyId)
      .select('m.conversation_id');
    of(members);
    return members;
  };
  if (contactId !== undefined)
    void found.whereIn(
      'c.id',
      withMember((members) => void members.where('k.id', contactId)),
    );
  if (contactNumber !== undefined) {
    void found.whereIn(
      'c.id',
      withMember((members) => void members.where('k.number', contactNumber)),
    );
  }
  if (search !== undefined) {
    const byMember = withMember((members) => void members.where((part) => matchText(part, search)));
    const part = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
    void found.where((either) => void either.whereIn('c.id', byMember).orWhere('c.name', 'like', part));
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
  viewer: Viewer,
  { query, page: wanted }: { query: ConversationQuery; page: Page },
): Promise<Listed<Conversation>> {
  const order = [
    { column: COLUMN[query.sort], order: 'desc' },
    { column: 'c.id', order: 'desc' },
  ];
  const [pinned, counted] = await Promise.all([
    matching(db, viewer, query)
      .join('tel_conversation_views as v', 'v.conversation_id', 'c.id')
      .where('v.contact_id', viewer.contactId)
      .whereNotNull('v.pinned_at')
      .orderBy(order)
      .limit(MAX_PINNED)
      .select('c.*') as unknown as Promise<ConversationRow[]>,
    matching(db, viewer, query).count({ total: '*' }) as unknown as Promise<[{ total: number }]>,
  ]);
  const first = offsetOf(wanted);
  const onTop = pinned.slice(first, first + wanted.size);
  const others = (await matching(db, viewer, query)
    .whereNotIn(
      'c.id',
      pinned.map(({ id }) => id),
    )
    .orderBy(order)
    .limit(wanted.size - onTop.length)
    .offset(Math.max(0, first - pinned.length))
    .select('c.*')) as ConversationRow[];
  return { total: counted[0].total, items: [...onTop, ...others].map(conversationOf) };
}
