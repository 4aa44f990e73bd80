/** Reads which received texts and faxes somebody has not read, of those that devices are told of. */
import type { Knex } from 'knex';
import { groupBy } from '../../../kernel/group';
import type { CompanyId } from '../../model/companies/company';
import type { ContactId } from '../../model/contacts/contact';
import { FAX_ITEM, type PushNews } from '../../model/push/push-news';
import type { UnreadFax, UnreadText } from '../../model/push/push-notice';
import { unread } from '../texting/conversation-views';

export interface Reader {
  readonly companyId: CompanyId;
  readonly contactId: ContactId;
}

interface TextRow extends Omit<UnreadText, 'sender'> {
  readonly firstName: string;
  readonly lastName: string;
  readonly number: string;
}

/** The oldest first. */
export async function unreadTexts(
  db: Knex,
  { companyId, contactId }: Reader,
  news: readonly PushNews[],
): Promise<UnreadText[]> {
  const wanted = [...groupBy(news.filter(isText), ({ conversationId }) => conversationId)];
  if (wanted.length === 0) return [];
  const rows = (await unread(db, contactId)
    .join({ c: 'tel_conversations' }, 'c.id', 't.conversation_id')
    .join({ k: 'tel_texting_contacts' }, 'k.id', 'c.contact_id')
    .where({ 'c.company_id': companyId, 'c.is_deleted': false })
    .whereNull('t.deleted_at')
    .where((any) => {
      for (const [id, texts] of wanted)
        any.orWhere(
          (one) =>
            void one.where('t.conversation_id', id).whereIn(
              't.inbound_seq',
              texts.map(({ seq }) => seq),
            ),
        );
    })
    .orderBy(['t.created_at', 't.inbound_seq'])
    .select('t.text', {
      id: 't.inbound_seq',
      conversationId: 't.conversation_id',
      firstName: 'k.first_name',
      lastName: 'k.last_name',
      number: 'k.number',
    })) as TextRow[];
  return rows.map(({ firstName, lastName, number, ...row }) => ({
    ...row,
    sender: `${firstName} ${lastName}`.trim() || number,
  }));
}

const isText = (news: PushNews): news is Exclude<PushNews, { readonly faxId: unknown }> => 'conversationId' in news;

/** Whether a fax was read, is the same for everybody in the company. */
export async function unreadFaxes(db: Knex, { companyId }: Reader, news: readonly PushNews[]): Promise<UnreadFax[]> {
  const ids = news.flatMap((each) => ('faxId' in each ? [each.faxId] : []));
  if (ids.length === 0) return [];
  const rows = (await db('tel_faxes')
    .whereIn('id', ids)
    .where({ company_id: companyId, is_read: false })
    .orderBy('created_at')
    .select('subject', 'pages', { faxId: 'id', from: 'from_number', name: 'from_name' })) as (Omit<
    UnreadFax,
    'id' | 'sender'
  > & { from: string; name: string })[];
  return rows.map(({ from, name, ...row }) => ({ ...row, id: FAX_ITEM, sender: name.trim() || from }));
}
