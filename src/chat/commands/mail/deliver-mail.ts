/** Sends one mail. It is composed at the moment of sending, unless it should no longer be sent. */
import type { Storage } from '../../../kernel/kernel';
import { type Letter, MailRefused } from '../../../kernel/mail/letter';
import { dead, done, dropped, type Ending } from '../../../kernel/mailbox/ending';
import type { MailTurn } from '../../../kernel/mailbox/work';
import type { Database } from '../../../kernel/mysql/pool';
import { isSameEmail } from '../../../kernel/secrets/email-key';
import { type About, type Mail, newToken } from '../../model/mail/mail';
import {
  confirmationText,
  hasAccountText,
  invitationText,
  type MissedFacts,
  missedMessagesText,
  type Organisation,
  passwordResetText,
} from '../../model/mail/mail-texts';
import { wantsMail } from '../../model/mail/missed-messages';
import type { Message } from '../../model/messages/message';
import type { Realm } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { isBot } from '../../model/users/user-policy';
import { settingOf } from '../../model/users/user-settings';
import type { Chat } from '../../parts';
import { unreadAmong } from '../../queries/reading/unread-messages';
import * as invitations from '../../store/accounts/invitations';
import * as resets from '../../store/accounts/password-resets';
import * as messages from '../../store/messages/messages';
import * as realms from '../../store/organisation/realms';
import * as streams from '../../store/streams/streams';
import * as people from '../../store/users/people';
import * as settings from '../../store/users/user-settings';
import * as users from '../../store/users/users';
import { composeEmailChange, composeEmailChanged } from './email-change-mail';
import { unsubscribeToken } from './unsubscribe';

type Parts = Storage & Pick<Chat, 'mail' | 'pause' | 'realms'>;

/** A failed mail is retried, unless the mail server rejects it permanently. */
export async function deliverMail(chat: Parts, { signal }: MailTurn, mail: Mail): Promise<Ending> {
  const { mysql, pause } = chat;
  const { mailer } = chat.mail;
  // Cleans up links of earlier mail that have expired.
  await Promise.all([invitations.forgetExpired(mysql), resets.forgetExpired(mysql)]);
  const composed = await composeMail(chat, mail);
  if ('dropped' in composed) return dropped(composed.dropped);
  const { letter } = composed;
  await pause('mid-call');
  // Too late to begin: the mail server might still be busy with it when another worker sends it too.
  signal.throwIfAborted();
  try {
    await mailer.send(letter);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    return dead(error.message);
  }
  return done(mailer.mode === 'shown' ? { set: { shown: `${letter.subject}\n\n${letter.text}` } } : {});
}

/** The mail goes to the requested address, unless it names another. */
type Written = Omit<Letter, 'to' | 'messageId'> & { readonly to?: string };
type Composed = { readonly letter: Written } | { readonly dropped: string };

/** The facts that every kind of mail needs. */
interface Surroundings {
  readonly realm: Realm;
  readonly organisation: Organisation;
}

/** Suppresses automatic replies. */
const HEADERS = { 'Auto-Submitted': 'auto-generated' };

async function composeMail(chat: Parts, mail: Mail): Promise<{ letter: Letter } | { dropped: string }> {
  const realm = await realms.byId(chat.mysql, mail.realmId);
  if (realm?.isActive !== true) return { dropped: 'The organisation is deactivated' };
  const url = await chat.realms.publicUrl(realm.id);
  const composed = await compose(chat, mail, { realm, organisation: { name: realm.name, url } });
  if ('dropped' in composed) return composed;
  const { to = mail.recipient, subject, text, headers } = composed.letter;
  const messageId = `<${mail.createdAt.getTime().toString(36)}.${mail.id}@${new URL(url).hostname}>`;
  return { letter: { to, subject, text, messageId, headers: { ...HEADERS, ...headers } } };
}

function compose(chat: Parts, mail: Mail, around: Surroundings): Promise<Composed> {
  const { about } = mail;
  switch (about.kind) {
    case 'invitation':
      return composeInvitation(chat, mail, about, around);
    case 'password-reset':
      return composePasswordReset(chat, mail, around);
    case 'email-change':
      return composeEmailChange(chat, mail, about, around.organisation);
    case 'email-changed':
      return Promise.resolve(composeEmailChanged(around.organisation));
    case 'missed-messages':
      return composeMissedMessages(chat, about, around);
  }
}

type AboutInvitation = Extract<About, { kind: 'invitation' }>;

/** Composes the mail of an invitation. */
async function composeInvitation(
  kernel: Storage,
  mail: Mail,
  { invitationId, isRequested }: AboutInvitation,
  { organisation }: Surroundings,
): Promise<Composed> {
  const [account] = await people.withEmailKeys(kernel.mysql, mail.realmId, [mail.recipient]);
  if (account) {
    await invitations.remove(kernel.mysql, invitationId);
    // Only the account's own mailbox learns that the account exists.
    const isOwn = isSameEmail(account.email, mail.recipient);
    if (isRequested && isOwn && account.isActive && !isBot(account))
      return { letter: { ...hasAccountText(organisation), to: account.email } };
    return { dropped: 'The address has an account' };
  }
  const invitation = await invitations.byId(kernel.mysql, invitationId);
  const inviter = invitation && (await users.byId(kernel.mysql, mail.realmId, invitation.inviterId));
  if (!invitation || !inviter) return { dropped: 'The invitation was accepted or revoked, or has expired' };
  const link = `${organisation.url}/join/${kernel.secrets.token('invitation', invitation.nonce)}`;
  const facts = { organisation, inviter, link, expiresAt: invitation.expiresAt };
  return { letter: isRequested ? confirmationText(facts) : invitationText(facts) };
}

/** Composes the mail with a password reset link. An address without an account gets no mail. */
async function composePasswordReset(
  { mysql, secrets, transaction, mail: { settings } }: Parts,
  mail: Mail,
  { organisation }: Surroundings,
): Promise<Composed> {
  const user = await users.byEmail(mysql, mail.realmId, mail.recipient);
  if (!user || !user.isActive || isBot(user)) return { dropped: 'Nobody has this address' };
  const nonce = await transaction((tx) =>
    resets.ensureFor(tx.db, mail.id, {
      userId: user.id,
      token: newToken(secrets, 'password-reset'),
      validMs: settings.passwordResetMs,
    }),
  );
  const link = `${organisation.url}/password_reset/${secrets.token('password-reset', nonce)}`;
  const words = passwordResetText(organisation, link, Math.ceil(settings.passwordResetMs / 60_000));
  // Sent to the stored address: a mail server may tell the cases of letters apart.
  return { letter: { ...words, to: user.email } };
}

type AboutMissed = Extract<About, { kind: 'missed-messages' }>;

const MAX_SHOWN = 20;
const MAX_CONTENT_LENGTH = 2000;

/** Composes the mail about missed messages of one conversation, leaving out those deleted or read since. */
async function composeMissedMessages(
  kernel: Storage,
  about: AboutMissed,
  { realm, organisation }: Surroundings,
): Promise<Composed> {
  const { mysql } = kernel;
  const user = await users.byId(mysql, realm.id, about.userId);
  if (user?.isActive !== true) return { dropped: 'The user is deactivated' };
  const own = await settings.ofUser(mysql, user.id);
  if (!wantsMail(own)) return { dropped: 'The user wants no mail about missed messages' };
  const unread = await unreadAmong(mysql, user.id, await messages.byIds(mysql, realm.id, about.messageIds));
  if (unread.length === 0) return { dropped: 'The messages were read or deleted' };
  const mayShow =
    realm.settings.message_content_allowed_in_email_notifications &&
    settingOf(own, 'message_content_in_email_notifications') === true;
  const names = await namesOf(kernel.mysql, unread);
  const unsubscribe = `${organisation.url}/unsubscribe/${unsubscribeToken(kernel.secrets, user)}`;
  const shown = unread.slice(0, MAX_SHOWN).map((message) => ({
    sender: names.get(message.senderId) ?? '?',
    content: mayShow ? cut(message.content) : null,
    sentAt: new Date(message.sentAt * 1000),
  }));
  const facts = { organisation, messages: shown, more: unread.length - shown.length, unsubscribe };
  return {
    letter: {
      ...missedMessagesText({ ...facts, place: await placeOf(kernel.mysql, unread[0]!, [...names.values()]) }),
      headers: {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    },
  };
}

const cut = (content: string): string =>
  content.length <= MAX_CONTENT_LENGTH ? content : `${Array.from(content).slice(0, MAX_CONTENT_LENGTH).join('')} …`;

async function namesOf(db: Database, sent: readonly Message[]): Promise<Map<UserId, string>> {
  const senders = [...new Set(sent.map(({ senderId }) => senderId))];
  const found = await people.anywhere(db, senders);
  return new Map(found.map(({ id, fullName }) => [id, fullName]));
}

/** All messages of a mail belong to one conversation, so one message determines it. */
async function placeOf(db: Database, message: Message, senders: readonly string[]): Promise<MissedFacts['place']> {
  if (message.topicId === null) return { people: senders };
  const stream = await streams.byId(db, message.realmId, message.recipientId);
  return { stream: stream?.name ?? '?', topic: message.topic };
}
