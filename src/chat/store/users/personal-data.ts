/** Personal data besides the account itself: read for the user's export, and deleted on erasure. */
import type { Knex } from 'knex';
import { emailKey, isSameEmail } from '../../../kernel/secrets/email-key';
import type { Message } from '../../model/messages/message';
import type { User, UserId } from '../../model/users/user';
import * as invitations from '../accounts/invitations';
import { messageOf } from '../messages/messages';
import { readAll } from '../rows';

/** Rows about this user alone, with the columns that may be shown: no hashes and no sealed secrets. */
const OWN_ROWS: Readonly<Record<string, readonly string[]>> = {
  chat_alert_words: ['word'],
  chat_avatars: [],
  chat_drafts: ['type', 'recipients', 'topic', 'content', 'edited_at'],
  chat_flags: ['flag', 'message_id'],
  chat_missed_messages: ['message_id'],
  chat_muted_topics: ['stream_id', 'topic', 'policy'],
  chat_muted_users: ['muted_id', 'muted_at'],
  chat_openid_identities: [],
  chat_password_resets: ['expires_at'],
  chat_profile_values: ['field_id', 'value'],
  chat_push_devices: ['kind', 'app_id'],
  chat_push_shown: [],
  chat_push_subscriptions: ['agent', 'created_at', 'seen_at'],
  chat_recovery_codes: [],
  chat_scheduled_messages: ['type', 'recipients', 'topic', 'content', 'message_id', 'note', 'due_at'],
  chat_sessions: ['agent', 'address', 'created_at', 'last_used_at'],
  chat_two_factor: ['is_on'],
  chat_user_group_members: ['group_id'],
  chat_user_statuses: ['is_away', 'text', 'emoji_name', 'ends_at'],
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

interface MailRow {
  readonly id: number;
  readonly recipient: string;
  readonly kind: string;
  readonly state: string;
  readonly created_at: Date;
}

/** The column compares without accents, so its matches may be mails to others. */
async function mailRows(db: Knex, { realmId, email }: User): Promise<MailRow[]> {
  const rows = (await db('chat_mails')
    .where({ realm_id: realmId, recipient: email })
    .select('id', 'recipient', 'kind', 'state', 'created_at')) as MailRow[];
  return rows.filter(({ recipient }) => isSameEmail(recipient, email));
}

export async function mailsTo(db: Knex, user: User): Promise<unknown[]> {
  const rows = await mailRows(db, user);
  return rows.map(({ kind, state, created_at }) => ({ kind, state, created_at }));
}

/** The user's messages, in streams and private, ordered by id. */
export async function messagesOf(db: Knex, user: User, after: number, most: number): Promise<Message[]> {
  const own = db('chat_messages').where({ realm_id: user.realmId, sender_id: user.id }).where('id', '>', after);
  return readAll(own.orderBy('id').limit(most), messageOf);
}

/** Deletes everything that identifies the user or belongs to them alone, except messages and files. */
export async function forget(db: Knex, user: User): Promise<void> {
  for (const table of Object.keys(OWN_ROWS)) await db(table).where({ user_id: user.id }).delete();
  const mails = (await mailRows(db, user)).map(({ id }) => id);
  await db('chat_mails').whereIn('id', mails).delete();
  await invitations.removeAllTo(db, user.realmId, user.email);
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
      title: null,
    });
}
