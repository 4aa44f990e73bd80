/** Rows of chat_outgoing_calls, written with their message. `failed` rows are dead letters, `dropped` are discarded. */
import type { MailboxAdminOptions } from '../../../kernel/mailbox/mailbox-admin';
import type { MailTable } from '../../../kernel/mailbox/mailbox';
import type { CallCause, WaitingCall } from '../../model/bots/outgoing-webhook';
import { realmTenant, type RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { REALM_MAIL } from '../realm-mail';
import { botEmails, rowsOfBot } from './bot-rows';

export const callTable: MailTable<WaitingCall, never> = {
  name: 'chat_outgoing_calls',
  address: 'bot_id',
  ...REALM_MAIL,
  read: (row) => ({
    realmId: row['realm_id'] as RealmId,
    botId: row['bot_id'] as UserId,
    messageId: row['message_id'] as number,
    cause: row['cause'] as CallCause,
  }),
};

/** The operators' view. */
export const callAdmin: MailboxAdminOptions = {
  name: 'outgoing-webhooks',
  about: 'messages for the programs of outgoing webhook bots; subject is the bot, kind what the message did',
  kind: 'cause',
  async show(db, rows) {
    const emails = await botEmails(db, rows);
    return rows.map((row) => ({
      tenant: realmTenant(row['realm_id'] as RealmId),
      subject: emails(row),
      kind: row['cause'] as string,
      reference: null,
      // The request body is built from the message when it is sent, so none is stored.
      payload: null,
      more: { message_id: row['message_id'], answer_id: row['answer_id'] },
    }));
  },
  bySubject: rowsOfBot,
  isSubjectIndexed: true,
};
