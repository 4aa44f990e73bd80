/** Writes the mails about a changed address: the link to the new one, and word to the old one. */
import { isSameEmail } from '../../../kernel/secrets/email-key';
import type { Storage } from '../../../kernel/kernel';
import { sealChange, stampOf } from '../../model/accounts/email-change';
import type { About, Mail } from '../../model/mail/mail';
import { emailChangedText, emailChangeText, type Organisation } from '../../model/mail/mail-texts';
import * as users from '../../store/users/users';

type AboutChange = Extract<About, { kind: 'email-change' }>;

const VALID_MS = 24 * 3_600_000;

export async function composeEmailChange(
  { mysql, secrets }: Storage,
  { realmId, recipient: to, createdAt }: Mail,
  { userId, from }: AboutChange,
  organisation: Organisation,
) {
  const user = await users.byId(mysql, realmId, userId);
  if (!user?.isActive || !isSameEmail(user.email, from)) return { dropped: 'The account has another address by now' };
  const stamp = stampOf(secrets, await users.credentials(mysql, userId));
  const until = createdAt.getTime() + VALID_MS;
  const token = sealChange(secrets, { userId, from, to, stamp, until });
  return { letter: emailChangeText(organisation, `${organisation.url}/confirm_email/${token}`, from) };
}

export const composeEmailChanged = (organisation: Organisation) => ({ letter: emailChangedText(organisation) });
