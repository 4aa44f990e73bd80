/** Open invitations, and the one of a link. A link of another organisation is as invalid as one that never existed. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Wire } from '../../../kernel/text/wire';
import { invalidLink, type Invitation, invitedAs } from '../../model/accounts/invitation';
import type { invitesAnswer } from '../../model/answers/invitations';
import { hashOfToken } from '../../model/mail/mail';
import type { RealmId } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import { ensureMember } from '../../model/users/user-policy';
import type { Chat } from '../../parts';
import * as invitations from '../../store/accounts/invitations';
import * as realms from '../../store/organisation/realms';
import * as people from '../../store/users/people';

type Parts = Pick<Chat, 'realms' | 'secrets'>;

export async function findInvitation(kernel: Storage, realmId: RealmId, token: string): Promise<Invitation> {
  const hash = hashOfToken(kernel.secrets, token);
  const invitation = hash === undefined ? undefined : await invitations.byTokenHash(kernel.mysql, hash);
  ensure(invitation?.realmId === realmId, invalidLink());
  const realm = await realms.byId(kernel.mysql, realmId);
  ensure(realm?.isActive === true, invalidLink());
  return invitation;
}

/** Open invitations: administrators see all, members their own. */
export async function listInvitations(
  chat: Storage & Pick<Chat, 'realms'>,
  by: User,
): Promise<Wire<typeof invitesAnswer>> {
  ensureMember(by);
  const found = await invitations.list(chat.mysql, by.realmId, by.role === 'admin' ? undefined : by.id);
  const inviterIds = [...new Set(found.map(({ inviterId }) => inviterId))];
  const inviters = await people.byIds(chat.mysql, by.realmId, inviterIds);
  const emails = new Map(inviters.map(({ id, email }) => [id, email]));
  const invites = [];
  for (const { id, email, role, title, inviterId, invitedAt, expiresAt, nonce, uses, maxUses } of found) {
    const invite = {
      id,
      ref: emails.get(inviterId) ?? '',
      invited_by_user_id: inviterId,
      invited: secondsOf(invitedAt),
      expiry_date: expiresAt && secondsOf(expiresAt),
      invited_as: invitedAs({ role, title }),
    };
    if (email !== null) invites.push({ ...invite, email, is_multiuse: false as const });
    else {
      const link_url = await linkOf(chat, by.realmId, nonce);
      invites.push({ ...invite, link_url, uses, max_uses: maxUses, is_multiuse: true as const });
    }
  }
  return { invites };
}

const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000);

/** Uses the organisation's own address, not the request's host. */
export const linkOf = async ({ secrets, realms }: Parts, realmId: RealmId, nonce: string): Promise<string> =>
  `${await realms.publicUrl(realmId)}/join/${secrets.token('invitation', nonce)}`;
