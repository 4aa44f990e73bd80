/** Personal data besides the account itself: read for the user's export, and deleted on erasure. */
import type { Knex } from 'knex';
import { emailKey } from '../../../kernel/email-key';
import type { Message } from '../../model/messages/message';
import type { User, UserId } from '../../model/users/user';
import { messageOf, type MessageRow } from '../messages/messages';

/** Rows about this user alone, with the columns that may be shown: no hashes and no sealed secrets. */
const OWN_ROWS: Readonly<Record<string, readonly string[]>> = {
  chat_alert_words: ['word'],
  chat_avatars: [],
  chat_flags: ['flag', 'message_id'],
  chat_missed_messages: ['message_id'],
  chat_muted_topics: ['stream_id', 'topic'],
  chat_openid_identities: [],
  chat_password_resets: ['expires_at'],
  chat_profile_values: ['field_id', 'value'],
  chat_push_devices: ['kind', 'app_id'],
  chat_recovery_codes: [],
  chat_sessions: ['agent', 'address', 'created_at', 'last_used_at'],
  chat_two_factor: ['is_on'],
  chat_user_group_members: ['group_id'],
  chat_user_statuses: ['is_away', 'text'],
};

/** By table name, without its prefix. */
export async function ownRows(db: Knex, userId: UserId): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const [table, columns] of Object.entries(OWN_ROWS)) {
    if (columns.length === 0) continue;
    found[table.replace('chat_', '')] = await db(table)
      .where({ user_id: userId })
      .select(...columns);
  }
  return found;
}

export async function mailsTo(db: Knex, { realmId, email }: User): Promise<unknown[]> {
  return db('chat_mails').where({ realm_id: realmId, recipient: email }).select('kind', 'state', 'created_at');
}

export async function settings(db: Knex, userId: UserId): Promise<unknown> {
  const row = (await db('chat_users').where({ id: userId }).first('settings')) as { settings: string };
  return JSON.parse(row.settings);
}

/** The user's messages, in streams and private, ordered by id. */
export async function messagesOf(db: Knex, user: User, after: number, most: number): Promise<Message[]> {
  const rows = (await db('chat_messages')
    .where({ realm_id: user.realmId, sender_id: user.id })
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)) as MessageRow[];
  return rows.map(messageOf);
}

/** Deletes everything that identifies the user or belongs to them alone, except messages and files. */
export async function forget(db: Knex, { id, realmId, email }: User): Promise<void> {
  for (const table of Object.keys(OWN_ROWS)) await db(table).where({ user_id: id }).delete();
  await db('chat_mails').where({ realm_id: realmId, recipient: email }).delete();
  await db('chat_invitations')
    .where({ realm_id: realmId, email_key: emailKey(email) })
    .delete();
}

/** Anonymises the account that remains as the author of their messages. */
export async function anonymise(db: Knex, id: UserId, as: { email: string; fullName: string }): Promise<void> {
  await db('chat_users')
    .where({ id })
    .update({
      email: as.email,
      email_key: emailKey(as.email),
      full_name: as.fullName,
      short_name: as.fullName,
      timezone: '',
      settings: '{}',
      password_hash: null,
      avatar_key: null,
      role: 'member',
    });
}
