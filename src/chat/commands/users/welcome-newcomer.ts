/** Welcomes a new account by a private message of the notification bot, once. */
import { done, dropped, type Ending } from '../../../kernel/mailbox/ending';
import type { Tx } from '../../../kernel/mysql/transaction';
import { welcomes } from '../../actors/mailboxes';
import { realmTenant } from '../../model/organisation/realm';
import { type Newcomer, welcomeText } from '../../model/users/newcomer';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import * as realms from '../../store/organisation/realms';
import * as users from '../../store/users/users';
import { sendPrivateNotice } from '../messages/send-notice';

export function sendWelcome(tx: Tx, { realmId, id: userId }: User): void {
  welcomes.at(realmTenant(realmId)).send(tx, { realmId, userId });
}

export async function welcomeNewcomer(chat: Sending, { realmId, userId }: Newcomer): Promise<Ending> {
  const realm = await realms.byId(chat.mysql, realmId);
  const user = await users.byId(chat.mysql, realmId, userId);
  if (!realm?.isActive || !user?.isActive) return dropped('the account is gone');
  await sendPrivateNotice(chat, realmId, userId, { content: welcomeText(realm), origin: `welcome:${userId}` });
  return done();
}
