/**
 * Sends what is due: a scheduled message as its author, with the author's rights of this moment, or a reminder as the
 * notification bot. The message is written and the schedule is removed in one transaction, so that neither a worker
 * that dies nor one that comes again sends it twice or not at all.
 */
import { done, dropped, type Ending, endingOf, messageOf } from '../../../kernel/mailbox/ending';
import type { MailTurn } from '../../../kernel/mailbox/work';
import type { Tx } from '../../../kernel/mysql/transaction';
import { scheduledMail } from '../../actors/mailboxes';
import { accountDeactivated, realmDeactivated } from '../../model/faults';
import type { Draft } from '../../model/messages/draft';
import { realmTenant } from '../../model/organisation/realm';
import { type ScheduledMail, type ScheduledMessage, wireScheduled } from '../../model/scheduled/scheduled-message';
import { failureText } from '../../model/scheduled/scheduled-texts';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import { wordsOfPerson } from '../../queries/organisation/words-of';
import { describeAny } from '../../queries/scheduled/describe-reminder';
import * as realms from '../../store/organisation/realms';
import * as scheduled from '../../store/scheduled/scheduled-messages';
import * as users from '../../store/users/users';
import { notificationBot } from '../messages/notification-bot';
import { CLIENT, sendPrivateNotice } from '../messages/send-notice';
import { sendWithin } from '../messages/send-within';
import { publish, publishAnew } from './scheduling';

export async function handleScheduled(chat: Sending, turn: MailTurn, mail: ScheduledMail): Promise<Ending> {
  if ('scheduledId' in mail) return sendScheduled(chat, turn, mail);
  const { realmId, userId, content, origin } = mail;
  await sendPrivateNotice(chat, realmId, userId, { content, origin });
  return done();
}

type Revision = Extract<ScheduledMail, { scheduledId: number }>;

async function sendScheduled(chat: Sending, turn: MailTurn, mail: Revision): Promise<Ending> {
  const message = await scheduled.byId(chat.mysql, mail.scheduledId);
  if (message?.revision !== mail.revision) return dropped('it was sent, changed or cancelled');
  try {
    const author = await activeAuthor(chat, message);
    const [by, draft] = await (message.reminder ? reminderOf(chat, author, message) : ownMessage(author, message));
    await sendWithin(chat, by, draft, (send) => turn.commit((tx) => settle(tx, message, send)));
    return done();
  } catch (error) {
    const { state } = endingOf(error);
    // What may pass is tried again.
    if (state !== 'failed') throw error;
    const reason = messageOf(error);
    return dropped(reason, { write: (tx) => noteFailure(tx, message, reason) });
  }
}

/** Changed or cancelled meanwhile: then nothing is sent. */
async function settle(tx: Tx, message: ScheduledMessage, send: (tx: Tx) => void): Promise<void> {
  if (!(await scheduled.removeSent(tx.db, message))) return;
  send(tx);
  const { id, reminder } = message;
  const event = reminder
    ? { type: 'reminders', op: 'remove', reminder_id: id }
    : { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id };
  publish(tx, { id: message.userId, realmId: message.realmId }, event);
}

async function activeAuthor({ mysql }: Sending, { realmId, userId }: ScheduledMessage): Promise<User> {
  const realm = await realms.byId(mysql, realmId);
  if (!realm?.isActive) throw realmDeactivated();
  const author = await users.byId(mysql, realmId, userId);
  if (!author?.isActive) throw accountDeactivated();
  return author;
}

type Sent = readonly [by: User, draft: Draft];

function ownMessage(author: User, { type, to, topic, content, client, isReadBySender }: ScheduledMessage): Sent {
  return [author, { type, to: JSON.stringify(to), topic, content, client, isReadBySender }];
}

async function reminderOf(chat: Sending, author: User, { reminder }: ScheduledMessage): Promise<Sent> {
  const content = await describeAny(chat, author, reminder!);
  const bot = await notificationBot(chat, author.realmId);
  return [bot, { type: 'private', to: JSON.stringify([author.id]), content, client: CLIENT }];
}

/** The author sees it in the list, and is told by the notification bot unless they cannot be. */
async function noteFailure(tx: Tx, message: ScheduledMessage, reason: string): Promise<void> {
  const error = reason.slice(0, MAX_ERROR_LENGTH);
  if (!(await scheduled.setError(tx.db, message, error))) return;
  const { id, realmId, userId, dueAt, revision, reminder } = message;
  const failed = { ...message, error };
  if (reminder) publishAnew(tx, failed);
  else {
    const event = { type: 'scheduled_messages', op: 'update', scheduled_message: wireScheduled(failed) };
    publish(tx, { id: userId, realmId }, event);
  }
  const realm = await realms.byId(tx.db, realmId);
  const { isActive } = (await users.byId(tx.db, realmId, userId)) ?? {};
  if (realm?.isActive !== true || isActive !== true) return;
  const content = failureText(await wordsOfPerson(tx.db, { id: userId, realmId }), dueAt, error);
  scheduledMail.at(realmTenant(realmId)).send(tx, { realmId, userId, content, origin: `unsent:${id}-${revision}` });
}

const MAX_ERROR_LENGTH = 1000;

/** After too many attempts. Why they failed concerns operators, not the author. */
export async function giveUpScheduled(tx: Tx, mail: ScheduledMail): Promise<void> {
  if (!('scheduledId' in mail)) return;
  const message = await scheduled.byId(tx.db, mail.scheduledId);
  if (message?.revision === mail.revision) await noteFailure(tx, message, GIVEN_UP);
}

const GIVEN_UP = 'Internal server error';
