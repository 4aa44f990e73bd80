/** Finds the few whom streams are mailed to without looking at every subscriber. */
import type { Knex } from 'knex';

const USERS_INDEX = 'chat_users_realm_id_mails_streams_index';
const SUBSCRIPTIONS_INDEX = 'chat_subscriptions_recipient_id_notify_email_index';

export async function up(db: Knex): Promise<void> {
  // A migration whose process was killed runs again.
  if (!(await db.schema.hasColumn('chat_users', 'mails_streams'))) {
    await db.raw(
      'ALTER TABLE chat_users ADD COLUMN mails_streams TINYINT(1) ' +
        `AS (settings LIKE '%"enable_stream_email_notifications":true%') VIRTUAL, ` +
        `ADD INDEX ${USERS_INDEX} (realm_id, mails_streams)`,
    );
  }
  const [found] = (await db.raw('SHOW INDEX FROM chat_subscriptions WHERE Key_name = ?', [SUBSCRIPTIONS_INDEX])) as [
    readonly unknown[],
  ];
  if (found.length > 0) return;
  await db.raw(`ALTER TABLE chat_subscriptions ADD INDEX ${SUBSCRIPTIONS_INDEX} (recipient_id, notify_email)`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`ALTER TABLE chat_users DROP INDEX ${USERS_INDEX}, DROP COLUMN mails_streams`);
  await db.raw(`ALTER TABLE chat_subscriptions DROP INDEX ${SUBSCRIPTIONS_INDEX}`);
}
