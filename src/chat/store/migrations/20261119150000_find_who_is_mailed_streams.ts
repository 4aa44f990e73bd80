/**
 * Finds the few whom streams are mailed to without looking at every subscriber. Both columns are the database's own, and
 * no index begins with what writers look for: they lock rows in the order of the primary key.
 */
import type { Knex } from 'knex';

const USERS_INDEX = 'chat_users_realm_id_mails_streams_index';
const SUBSCRIPTIONS_INDEX = 'chat_subscriptions_mailed_recipient_id_index';

export async function up(db: Knex): Promise<void> {
  // A migration whose process was killed runs again.
  if (!(await db.schema.hasColumn('chat_users', 'mails_streams'))) {
    await db.raw(
      'ALTER TABLE chat_users ADD COLUMN mails_streams TINYINT(1) ' +
        `AS (settings LIKE '%"enable_stream_email_notifications":true%') VIRTUAL, ` +
        `ADD INDEX ${USERS_INDEX} (realm_id, mails_streams)`,
    );
  }
  if (await db.schema.hasColumn('chat_subscriptions', 'mailed_recipient_id')) return;
  await db.raw(
    'ALTER TABLE chat_subscriptions ADD COLUMN mailed_recipient_id INT UNSIGNED ' +
      'AS (IF(notify_email = 1, recipient_id, NULL)) VIRTUAL, ' +
      `ADD INDEX ${SUBSCRIPTIONS_INDEX} (mailed_recipient_id)`,
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`ALTER TABLE chat_users DROP INDEX ${USERS_INDEX}, DROP COLUMN mails_streams`);
  await db.raw(`ALTER TABLE chat_subscriptions DROP INDEX ${SUBSCRIPTIONS_INDEX}, DROP COLUMN mailed_recipient_id`);
}
