/** Adopts work that nodes and workers of release 0.1 left in their own tables into mailboxes. */
import type { Knex } from 'knex';
import { adoptRows, withoutMail } from '../../kernel/mailbox/adopt';

/** Rows with `asked_at` are requested thumbnails that were not made yet. */
export const adoptPictures = (db: Knex): Promise<number> =>
  adoptRows(db, 'chat-thumbnails', {
    rows: (from) =>
      from('chat_upload_thumbnails as t').join('chat_uploads as u', 'u.id', 't.upload_id').whereNotNull('t.asked_at'),
    keys: ['t.upload_id'],
    mail: {
      tenant: "CONCAT('chat:', u.realm_id)",
      address: "CONCAT('upload-', u.id)",
      body: `CONCAT('{"realmId":', u.realm_id, ',"uploadId":', u.id, '}')`,
      due_at: 't.asked_at',
      created_at: 't.asked_at',
    },
    leave: (from, keys) =>
      from('chat_upload_thumbnails')
        .whereIn('upload_id', keys.flat() as number[])
        .delete(),
  });

export const adoptPreviews = (db: Knex): Promise<number> =>
  adoptRows(db, 'chat-previews', {
    rows: (from) => from('chat_pending_previews as p'),
    keys: ['p.realm_id', 'p.message_id'],
    mail: {
      tenant: "CONCAT('chat:', p.realm_id)",
      address: "CONCAT(p.realm_id, '-', p.message_id)",
      body: `CONCAT('{"realmId":', p.realm_id, ',"messageId":', p.message_id, '}')`,
      due_at: 'p.created_at',
      created_at: 'p.created_at',
    },
    leave: (from, keys) =>
      from('chat_pending_previews')
        .whereIn(['realm_id', 'message_id'], keys as Knex.Value[][])
        .delete(),
  });

/** A 0.1 node settles its read marks at once. Marks older than this belong to a node that is gone. */
const LEFT_SECONDS = 30;

/** These marks are in the outbox, with "stretch" for what is now a range. Publishing them twice is harmless. */
export const adoptReadMarks = (db: Knex): Promise<number> =>
  adoptRows(db, 'chat-read-marks', {
    rows: (from) =>
      from('kernel_outbox as o')
        .where('o.carrier', 'read-marks')
        .whereNull('o.carried_at')
        .where('o.created_at', '<', from.raw('NOW(3) - INTERVAL ? SECOND', [LEFT_SECONDS])),
    keys: ['o.id'],
    mail: {
      tenant: 'o.tenant',
      address: "JSON_EXTRACT(o.body, '$.userId')",
      body: `REPLACE(o.body, '"stretch":', '"range":')`,
      due_at: 'o.created_at',
      created_at: 'o.created_at',
    },
    leave: (from, keys) =>
      from('kernel_outbox')
        .whereIn('id', keys.flat() as number[])
        .whereNull('carried_at')
        .delete(),
  });

export const adoptExports = (db: Knex): Promise<number> =>
  adoptRows(db, 'chat-exports', {
    rows: (from) =>
      withoutMail(
        from('chat_exports as e').where('e.state', 'pending'),
        from,
        'chat-exports',
        "CONCAT('export-', e.id)",
      ),
    keys: ['e.id'],
    mail: {
      tenant: "CONCAT('chat:', e.realm_id)",
      address: "CONCAT('export-', e.id)",
      body: `CONCAT('{"realmId":', e.realm_id, ',"exportId":', e.id, '}')`,
      due_at: 'e.created_at',
      created_at: 'e.created_at',
    },
  });
