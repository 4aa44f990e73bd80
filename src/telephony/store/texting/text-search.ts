/** Finds a company's texts by their words: the newest first, through a bounded number of rows at a time. */
import type { Knex } from 'knex';
import type { CompanyId } from '../../model/companies/company';
import type { ContactId } from '../../model/contacts/contact';
import type { ConversationId, TextId } from '../../model/texting/texting';
import { containing } from '../reads';

export interface FoundText {
  readonly id: TextId;
  readonly conversationId: ConversationId;
  readonly conversationName: string;
  readonly direction: 'inbound' | 'outbound';
  readonly text: string;
  readonly senderId: ContactId | null;
  readonly createdAt: Date;
}

/** Where a text is among all of its company. */
interface Place {
  readonly id: string;
  readonly createdAt: Date;
}

export interface TextSearch {
  readonly words: string;
  /** Only older ones. */
  readonly before: Place | undefined;
  readonly limit: number;
  /** How many rows are looked at. */
  readonly within: number;
}

/** Forces the index, because MySQL would otherwise sort all texts of the company. */
const IN_ORDER = 'tel_texts AS t FORCE INDEX (tel_texts_searched)';

/** By the index alone, if nothing but the place is selected. */
const olderThan = (db: Knex, companyId: CompanyId, before: Place | undefined): Knex.QueryBuilder =>
  db
    .from(db.raw(IN_ORDER))
    .where('t.company_id', companyId)
    .modify((query) => {
      if (!before) return;
      void query
        .where('t.created_at', '<=', before.createdAt)
        .where((older) => void older.where('t.created_at', '<', before.createdAt).orWhere('t.id', '<', before.id));
    })
    .orderBy([
      { column: 't.created_at', order: 'desc' },
      { column: 't.id', order: 'desc' },
    ]);

/** Of a deleted text, too: a client may go on from it. */
export async function placeOf(db: Knex, companyId: CompanyId, id: string): Promise<Place | undefined> {
  const found: unknown = await db('tel_texts')
    .where({ company_id: companyId, id })
    .first({ id: 'id', createdAt: 'created_at' });
  return found as Place | undefined;
}

/** What was found, and the last text that was looked at if there are older ones. */
export async function search(
  db: Knex,
  companyId: CompanyId,
  { words, before, limit, within }: TextSearch,
): Promise<{ readonly found: FoundText[]; readonly next: string | undefined }> {
  const [end] = (await olderThan(db, companyId, before)
    .offset(within - 1)
    .limit(1)
    .select({ id: 't.id', createdAt: 't.created_at' })) as Place[];
  const found = (await olderThan(db, companyId, before)
    .join({ c: 'tel_conversations' }, 'c.id', 't.conversation_id')
    .modify((query) => {
      if (!end) return;
      void query
        .where('t.created_at', '>=', end.createdAt)
        .where((newer) => void newer.where('t.created_at', '>', end.createdAt).orWhere('t.id', '>=', end.id));
    })
    .where('t.text', 'like', containing(words))
    .where('c.is_deleted', false)
    .whereNull('t.deleted_at')
    .limit(limit)
    .select({
      id: 't.id',
      conversationId: 't.conversation_id',
      conversationName: 'c.name',
      direction: 't.direction',
      text: 't.text',
      senderId: 't.sender_id',
      createdAt: 't.created_at',
    })) as FoundText[];
  return { found, next: found.length === limit ? found.at(-1)?.id : end?.id };
}
