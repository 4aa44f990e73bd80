/** The jobs of chat, by name; workers/ has what runs them. */
import { defineJob } from '../kernel/jobs/job';
import type { MailId } from './model/mail';
import type { RealmId } from './model/realm';
import type { UserId } from './model/user';

/** Turns what waits for a bot into messages. There is one of these per bot, however much waits. */
export const emptyInbox = defineJob<{ realmId: RealmId; botId: UserId }>('chat-webhooks', {
  attempts: 1,
  backoffMs: 1000,
});

/** Hands one mail to the mail server. Attempts are counted in its row, so that they outlive Redis. */
export const sendMail = defineJob<{ mailId: MailId }>('chat-mail', { attempts: 1, backoffMs: 1000 });

/** Makes an uploaded picture smaller, for the messages that show it. */
export const makeThumbnail = defineJob<{ realmId: RealmId; uploadId: number }>('chat-thumbnails', {
  attempts: 3,
  backoffMs: 5000,
});

/** Tells an outgoing webhook bot's program of the messages that wait for it. There is one of these per bot. */
export const callBot = defineJob<{ realmId: RealmId; botId: UserId }>('chat-outgoing', {
  attempts: 1,
  backoffMs: 1000,
});

/** Shows the pages that a message links below it. There is one of these per message. */
export const showPreviews = defineJob<{ realmId: RealmId; messageId: number }>('chat-previews', {
  attempts: 1,
  backoffMs: 1000,
});

export interface ExportOrder {
  readonly realmId: RealmId;
  readonly exportId: number;
}

/** Writes the archive that an administrator asked for. */
export const exportRealm = defineJob<ExportOrder>('chat-exports', { attempts: 3, backoffMs: 5000 });
