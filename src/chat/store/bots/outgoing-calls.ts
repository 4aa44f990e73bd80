/** Rows of chat_outgoing_calls, written with their message. `failed` rows are dead letters, `dropped` are discarded. */
import type { MailTable } from '../../../kernel/mailbox/mailbox';
import type { CallCause, WaitingCall } from '../../model/bots/outgoing-webhook';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { REALM_MAIL } from '../rows';

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
