/** Rows of tel_conversation_views and tel_text_reads: what each user has read and pinned. */
import type { Knex } from 'knex';
import type { ContactId } from '../../model/contacts/contact';
import type { Conversation, ConversationView } from '../../model/texting/conversation';
import type { ConversationId, TextId } from '../../model/texting/texting';

/** Deleted texts count as read by everybody. Their rows have this empty contact id. */
const EVERYBODY = '';

/** How conversations look to a user. A single statement, however many conversations or unread texts there are. */
export async function viewsOf(
  db: Knex,
  viewer: ContactId,
  ids: readonly ConversationId[],
): Promise<Map<ConversationId, ConversationView>> {
  if (ids.length === 0) return new Map();
  const rows = (await db('tel_conversations as c')
    .leftJoin('tel_conversation_views as v', (on) =>
      on.on('v.conversation_id', 'c.id').andOn('v.contact_id', db.raw('?', [viewer])),
    )
    .whereIn('c.id', ids)
    .select('c.id', 'c.inbound_count', 'v.read_to', 'v.pinned_at', {
      above: db.raw(
        `(SELECT COUNT(*) FROM tel_text_reads r WHERE r.conversation_id = c.id AND r.contact_id IN (?, ?)
           AND r.inbound_seq > COALESCE(v.read_to, 0))`,
        [EVERYBODY, viewer],
      ),
    })) as ViewRow[];
  return new Map(
    rows.map(({ id, inbound_count, read_to, pinned_at, above }) => [
      id,
      { isPinned: pinned_at !== null, unread: inbound_count - (read_to ?? 0) - above },
    ]),
  );
}

interface ViewRow {
  id: ConversationId;
  inbound_count: number;
  read_to: number | null;
  pinned_at: Date | null;
  /** How many inbound texts after the read cursor are read individually. */
  above: number;
}

/** Inbound texts, as `t`, that are after the user's read cursor and not read individually. */
export const unread = (db: Knex, viewer: ContactId) =>
  db('tel_texts as t')
    .leftJoin('tel_conversation_views as v', (on) =>
      on.on('v.conversation_id', 't.conversation_id').andOn('v.contact_id', db.raw('?', [viewer])),
    )
    .leftJoin('tel_text_reads as r', (on) =>
      on
        .on('r.conversation_id', 't.conversation_id')
        .andOn('r.contact_id', db.raw('?', [viewer]))
        .andOn('r.inbound_seq', 't.inbound_seq'),
    )
    .whereNull('r.inbound_seq')
    .where('t.inbound_seq', '>', db.raw('COALESCE(v.read_to, 0)'));

/** Filters the texts to those that the user has not read. */
export async function unreadOf(db: Knex, viewer: ContactId, ids: readonly TextId[]): Promise<Set<TextId>> {
  if (ids.length === 0) return new Set();
  const found = (await unread(db, viewer).whereIn('t.id', ids).pluck('t.id')) as TextId[];
  return new Set(found);
}

export async function pin(db: Knex, viewer: ContactId, id: ConversationId, at: Date | null): Promise<void> {
  await db('tel_conversation_views')
    .insert({ contact_id: viewer, conversation_id: id, pinned_at: at })
    .onConflict()
    .merge(['pinned_at']);
}

/** Marks these inbound texts as read, and moves the user's read cursor up to the first unread text. */
export async function read(
  db: Knex,
  viewer: ContactId,
  conversation: Conversation,
  seqs: readonly number[],
): Promise<void> {
  const { id } = conversation;
  const rows = seqs.map((seq) => ({ conversation_id: id, contact_id: viewer, inbound_seq: seq }));
  await db('tel_text_reads').insert(rows).onConflict().ignore();
  const [[first]] = (await db.raw(
    `SELECT t.inbound_seq FROM tel_texts t
       LEFT JOIN tel_conversation_views v ON v.contact_id = ? AND v.conversation_id = t.conversation_id
     WHERE t.conversation_id = ? AND t.inbound_seq > COALESCE(v.read_to, 0) AND NOT EXISTS (SELECT 1
       FROM tel_text_reads r WHERE r.conversation_id = t.conversation_id AND r.contact_id IN (?, ?)
         AND r.inbound_seq = t.inbound_seq)
     ORDER BY t.inbound_seq LIMIT 1`,
    [viewer, id, EVERYBODY, viewer],
  )) as [{ inbound_seq: number }[]];
  const mark = first ? first.inbound_seq - 1 : conversation.inboundCount;
  await db('tel_conversation_views')
    .insert({ contact_id: viewer, conversation_id: id, read_to: mark })
    .onConflict()
    .merge(['read_to']);
  await db('tel_text_reads')
    .where({ conversation_id: id, contact_id: viewer })
    .where('inbound_seq', '<=', mark)
    .delete();
}

/** Marks deleted texts as read by everybody. */
export async function readByAll(db: Knex, id: ConversationId, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return;
  await db('tel_text_reads').where({ conversation_id: id }).whereIn('inbound_seq', seqs).delete();
  await db('tel_text_reads').insert(
    seqs.map((seq) => ({ conversation_id: id, contact_id: EVERYBODY, inbound_seq: seq })),
  );
}

/** Deletes the rows of a user who leaves the company. */
export async function forget(db: Knex, viewer: ContactId): Promise<void> {
  const theirs = db('tel_conversation_views').where({ contact_id: viewer }).select('conversation_id');
  await db('tel_text_reads').where({ contact_id: viewer }).whereIn('conversation_id', theirs).delete();
  await db('tel_conversation_views').where({ contact_id: viewer }).delete();
}
