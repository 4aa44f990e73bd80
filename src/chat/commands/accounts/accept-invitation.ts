/** Creates an account from an invitation, and uses up the invitation in the same transaction. */
import type { Clock } from '../../../kernel/clock';
import { emailKey } from '../../../kernel/secrets/email-key';
import { ensure } from '../../../kernel/fault';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { Wire } from '../../../kernel/text/wire';
import { hasUsesLeft, invalidLink, type Invitation } from '../../model/accounts/invitation';
import type { joinedAnswer } from '../../model/answers/invitations';
import { passwordsDisabled } from '../../model/faults';
import { hashOfToken } from '../../model/mail/mail';
import type { RealmId } from '../../model/organisation/realm';
import type { StreamId } from '../../model/streams/stream';
import { isOwner, moderates } from '../../model/users/role';
import type { User } from '../../model/users/user';
import type { Enrolling, Sending } from '../../parts';
import { findInvitation } from '../../queries/accounts/invitations';
import { lacksFactor } from '../../queries/accounts/get-two-factor';
import { checkAddress } from '../../queries/organisation/realm-lists';
import { visibleStreams } from '../../queries/streams/list-streams';
import type { ChatSettings } from '../../settings';
import { wordsOfPerson } from '../../queries/organisation/words-of';
import * as invitations from '../../store/accounts/invitations';
import * as users from '../../store/users/users';
import { sendPrivateNotice } from '../messages/send-notice';
import { joinDefaultStreams, joinStreams } from '../streams/default-streams';
import { addUser, prepareUser, publishArrival } from '../users/create-user';
import { sendWelcome } from '../users/welcome-newcomer';
import { publishInvitations } from './invitations';

export interface Acceptance {
  readonly token: string;
  readonly fullName: string;
  readonly password: string;
  /** The client's IP address. */
  readonly from: string;
}

export type Joined = Wire<typeof joinedAnswer>;

export async function acceptInvitation(
  chat: Sending & Enrolling,
  { authMethods }: Pick<ChatSettings, 'authMethods'>,
  realmId: RealmId,
  { token, fullName, password, from }: Acceptance,
): Promise<Joined> {
  ensure(authMethods.includes('password'), passwordsDisabled());
  const { email, role, title } = await findInvitation(chat, realmId, token);
  ensure(email !== null, invalidLink());
  await checkAddress(chat.mysql, realmId, email);
  const setBy = { address: from, account: `${realmId}:${emailKey(email)}` };
  const prepared = await prepareUser(chat, { realmId, email, fullName, role, title, password, setBy });
  const { user, inviter } = await chat.transaction(async (tx) => {
    const invitation = await invitations.lockByTokenHash(tx.db, hashOfToken(chat.secrets, token)!);
    ensure(invitation !== undefined, invalidLink());
    const author = await users.byId(tx.db, realmId, invitation.inviterId);
    ensure(author !== undefined && mayInvite(author, invitation), invalidLink());
    if (invitation.linkId !== null) await countUse(tx, invitation.linkId);
    const added = await addUser(tx, prepared);
    await publishArrival(tx, chat.clock, added);
    await join(tx, chat.clock, added, { invitation, inviter: author });
    sendWelcome(tx, added);
    await invitations.removeAllTo(tx.db, realmId, email);
    await publishInvitations(tx, realmId, author.id);
    return { user: added, inviter: author };
  });
  notifyInviter(chat, inviter, user);
  // A user who lacks the required second factor signs in with a browser and sets one up first.
  const key = (await lacksFactor(chat.mysql, user)) ? {} : { api_key: prepared.key };
  return { user_id: user.id, email: user.email, ...key };
}

/** The new user does not wait for this message. */
function notifyInviter(chat: Sending, inviter: User, { realmId, fullName, email }: User): void {
  const tell = async () => {
    const { say } = await wordsOfPerson(chat.mysql, inviter);
    const content = say('bot.invitation.accepted', { name: fullName, email });
    await sendPrivateNotice(chat, realmId, inviter.id, { content });
  };
  tell().catch((error: unknown) => {
    chat.log.warn({ error, inviter: inviter.id }, 'could not notify the inviter that an invitation was accepted');
  });
}

/** A link that is over leaves the mail that was requested with it valid; one that is used up does not. */
async function countUse(tx: Tx, linkId: number): Promise<void> {
  const link = await invitations.lockLink(tx.db, linkId);
  ensure(link === undefined || hasUsesLeft(link), invalidLink());
  await invitations.countUse(tx.db, linkId);
}

/** An invitation carries only the rights that its inviter still has. */
const mayInvite = (inviter: User, invitation: Invitation): boolean =>
  inviter.isActive &&
  inviter.role !== 'guest' &&
  (!moderates(invitation) || inviter.role === 'admin') &&
  (!isOwner(invitation) || isOwner(inviter));

interface Invited {
  readonly invitation: Invitation;
  readonly inviter: User;
}

/** Subscribes the user to the invitation's streams that the inviter still sees; without any, to the default streams. */
async function join(tx: Tx, clock: Clock, user: User, { invitation, inviter }: Invited): Promise<void> {
  const ids = invitation.streamIds as readonly StreamId[];
  if (ids.length > 0) await joinStreams(tx, clock, user, { ids, choose: () => visibleStreams(tx.db, inviter, ids) });
  else if (user.role !== 'guest') await joinDefaultStreams(tx, clock, user);
}
