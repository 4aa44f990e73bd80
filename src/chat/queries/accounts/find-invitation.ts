/** Finds the invitation of a link. A link of another organisation is as invalid as one that never existed. */
import { ensure } from '../../../kernel/fault';
import { invalidLink, type Invitation } from '../../model/accounts/invitation';
import { hashOfToken } from '../../model/mail/mail';
import type { RealmId } from '../../model/organisation/realm';
import type { Chat } from '../../parts';
import * as invitations from '../../store/accounts/invitations';
import * as realms from '../../store/organisation/realms';

export async function findInvitation({ kernel }: Chat, realmId: RealmId, token: string): Promise<Invitation> {
  const hash = hashOfToken(kernel.secrets, token);
  const invitation = hash === undefined ? undefined : await invitations.byTokenHash(kernel.mysql, hash);
  ensure(invitation?.realmId === realmId, invalidLink());
  const realm = await realms.byId(kernel.mysql, realmId);
  ensure(realm?.isActive === true, invalidLink());
  return invitation;
}
