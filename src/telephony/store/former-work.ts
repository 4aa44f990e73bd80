/** Adopts pending work that nodes and workers of release 0.1 left in their own tables, and turns it into mail. */
import type { Knex } from 'knex';
import { adoptRows, withoutMail } from '../../kernel/mailbox/adopt';
import { rankOf } from '../model/texting/texting';

export const adoptLetters = (db: Knex): Promise<number> =>
  adoptRows(db, 'portal-mail', {
    rows: (from) => from('tel_letters as l'),
    keys: ['l.id'],
    mail: {
      tenant: "'tel:portal'",
      address: 'l.id',
      body: 'l.letter',
      attempts: 'l.attempts',
      due_at: 'l.due_at',
      created_at: 'l.asked_at',
    },
    leave: (from, keys) =>
      from('tel_letters')
        .whereIn('id', keys.flat() as string[])
        .delete(),
  });

export const adoptFaxes = (db: Knex): Promise<number> =>
  adoptRows(db, 'fax-outbound', {
    rows: (from) => withoutMail(from('tel_faxes as f').where('f.status', 'queued'), from, 'fax-outbound', 'f.id'),
    keys: ['f.id'],
    mail: {
      tenant: "CONCAT('tel:', f.company_id)",
      address: 'f.id',
      body: `CONCAT('{"faxId":"', f.id, '"}')`,
      due_at: 'f.created_at',
      created_at: 'f.created_at',
    },
  });

/** Release 0.1 flags deleted conversations that are not emptied yet. */
export const adoptDeleted = (db: Knex): Promise<number> =>
  adoptRows(db, 'texting-forget', {
    rows: (from) => from('tel_conversations as c').where('c.is_to_forget', 1),
    keys: ['c.id'],
    mail: {
      tenant: "CONCAT('tel:', c.company_id)",
      address: 'c.id',
      body: `CONCAT('{"conversationId":"', c.id, '"}')`,
      due_at: 'c.updated_at',
      created_at: 'c.updated_at',
    },
    leave: (from, keys) =>
      from('tel_conversations')
        .whereIn('id', keys.flat() as string[])
        .where({ is_to_forget: 1 })
        .update({ is_to_forget: 0 }),
  });

/** Release 0.1 calls this state `dead`. */
export const adoptCalls = async (db: Knex): Promise<number> =>
  db('tel_carrier_calls').where({ state: 'dead' }).update({ state: 'failed' });

export const adoptBulkOrders = (db: Knex): Promise<number> =>
  adoptRows(db, 'pbx-bulk', {
    rows: (from) => withoutMail(from('tel_bulk_orders as b').where('b.is_finished', 0), from, 'pbx-bulk', 'b.id'),
    keys: ['b.id'],
    mail: {
      tenant: "CONCAT('tel:', b.company_id)",
      address: 'b.id',
      body: `CONCAT('{"id":"', b.id, '"}')`,
      due_at: 'b.created_at',
      created_at: 'b.created_at',
    },
  });

const waitingTexts = (db: Knex): Knex.QueryBuilder =>
  db('tel_text_sends as s')
    .join('tel_conversations as c', 'c.id', 's.conversation_id')
    .where('s.status_rank', '<', rankOf('sent'))
    .whereNull('s.carrier_message_id')
    .whereNotExists(
      db('kernel_mail as m')
        .where('m.mailbox', 'texting-outbound')
        .where('m.address', db.ref('s.conversation_id'))
        .where('m.body', db.raw(`CONCAT('{"sendId":"', s.id, '"}')`))
        .select(db.raw('1')),
    );

/** Release 0.1 records carrier calls in a separate table. Without them, a text might be sent twice. */
export async function adoptTexts(db: Knex): Promise<number> {
  const tried = (await db('tel_send_tries').limit(1000).pluck('send_id')) as string[];
  if (tried.length > 0) {
    await db.transaction(async (trx) => {
      const calledAt = trx('tel_send_tries as y')
        .where('y.send_id', trx.ref('tel_text_sends.id'))
        .select('y.called_at');
      await trx('tel_text_sends').whereIn('id', tried).whereNull('called_at').update({ called_at: calledAt });
      await trx('tel_send_tries').whereIn('send_id', tried).delete();
    });
  }
  const adopted = await adoptRows(db, 'texting-outbound', {
    rows: (from) => waitingTexts(from).orderBy(['s.conversation_id', 's.seq', 's.position']),
    keys: ['s.id'],
    mail: {
      tenant: "CONCAT('tel:', c.company_id)",
      address: 's.conversation_id',
      body: `CONCAT('{"sendId":"', s.id, '"}')`,
      due_at: 's.created_at',
      created_at: 's.created_at',
    },
  });
  return tried.length + adopted;
}
