/** Mails users what they missed. Each sweep finds organisations with new messages and users whose wait is over. */
import { each } from '../../kernel/mailbox/work';
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { missedMessages } from '../actors/mailboxes';
import { dueUsers, gatherMissed, mailMissedMessages } from '../commands/mail/mail-missed-messages';
import { behindRealms, noteMissedMessages } from '../commands/mail/note-missed-messages';
import { realmTenant, type RealmId } from '../model/organisation/realm';
import type { UserId } from '../model/users/user';
import type { Chat } from '../parts';

/** Sweeps per MISSED_MAIL_MS, so that a mail is hardly later than that. */
const TURNS_MEANWHILE = 10;
const MAX_PAUSE_MS = 15_000;
const SHORTEST_PAUSE_MS = 500;

/** Address prefixes: messages are scanned by organisation, and mailed by user. */
const REALM = 'realm-';
const USER = 'user-';
const at = (id: string, realmId: RealmId) => ({ id, tenant: realmTenant(realmId) });

export function chatMissedMessages(chat: Chat) {
  const { mailer, settings } = chat.mail;
  const share = settings.missedMailMs / TURNS_MEANWHILE;
  const sweepMs = Math.round(Math.max(SHORTEST_PAUSE_MS, Math.min(MAX_PAUSE_MS, share)));
  return mailboxWorker(
    { ...missedMessages, sweepMs },
    {
      handle: each((_turn, { body }) => mailMissedMessages(chat, body)),
      async toFill() {
        if (mailer.mode === 'off') return [];
        const realms = (await behindRealms(chat)).map((realmId) => at(`${REALM}${realmId}`, realmId));
        const users = (await dueUsers(chat)).map(({ realmId, userId }) => at(`${USER}${userId}`, realmId));
        return [...realms, ...users];
      },
      async fill(id) {
        if (id.startsWith(REALM)) await noteMissedMessages(chat, Number(id.slice(REALM.length)) as RealmId);
        else await gatherMissed(chat, Number(id.slice(USER.length)) as UserId, id);
      },
    },
  );
}
