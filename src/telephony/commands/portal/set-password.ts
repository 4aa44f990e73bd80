/** Sets a contact's password and ends all their other sessions. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import { judgePassword } from '../../../kernel/passwords/new-password';
import { sessionEnded } from '../../../kernel/sessions/page-faults';
import { MAX_PASSWORD_LENGTH } from '../../../kernel/passwords/passwords';
import { accessChanged } from '../../model/companies/key';
import type { Caller } from '../../model/contacts/contact';
import { noContact, existing } from '../../model/faults';
import { ENTRY_LINK_MS } from '../../model/portal/portal';
import { notByKey, passwordTooLong, passwordTooWeak, wrongOldPassword } from '../../model/portal/portal-faults';
import type { Telephony } from '../../parts';
import { findSession } from '../../queries/portal/find-session-caller';
import * as audit from '../../store/companies/audit';
import * as contacts from '../../store/contacts/contacts';
import * as passwords from '../../store/portal/passwords';
import * as sessions from '../../store/portal/sessions';

type Parts = Storage & Pick<Telephony, 'keys' | 'passwords' | 'settings'>;

export interface PasswordChange {
  /** The token of the caller's session. */
  readonly session: string;
  readonly oldPassword: string;
  readonly newPassword: string;
}

/**
 * A contact who just signed in by link may have forgotten the old password and need not give it. A session opened by
 * API key cannot set a first password, because the password would outlive the key.
 */
export async function setPassword(telephony: Parts, by: Caller, change: PasswordChange): Promise<void> {
  const { settings } = telephony;
  const { session: token, oldPassword, newPassword } = change;
  const session = existing(
    await findSession(telephony, { token, from: by.from, days: settings.sessionDays }),
    sessionEnded,
  );
  const requester = { address: by.from, account: `tel:${by.contactId}` };
  const before = await passwords.hashOf(telephony.mysql, by.contactId);
  const isByLink = session.openedBy === 'link' && session.ageSeconds * 1000 < ENTRY_LINK_MS['sign-in'];
  ensure(before !== null || session.openedBy !== 'key', notByKey());
  const isProven = before === null || isByLink || (await telephony.passwords.check(oldPassword, before, requester));
  ensure(isProven, wrongOldPassword());
  const contact = existing(await contacts.byId(telephony.mysql, by.companyId, by.contactId), noContact);
  const words = [contact.workEmail, contact.firstName, contact.lastName];
  const judgement = await judgePassword(telephony, { password: newPassword, words, by: requester });
  ensure(judgement !== 'too-long', passwordTooLong(MAX_PASSWORD_LENGTH));
  ensure(judgement !== 'too-weak', passwordTooWeak());
  const passwordHash = await telephony.passwords.hash(newPassword, requester);
  await telephony.transaction(async (tx) => {
    await contacts.lock(tx.db, by.companyId, by.contactId);
    // Of two concurrent changes, the second was checked against an outdated password.
    ensure((await passwords.hashOf(tx.db, by.contactId)) === before, wrongOldPassword());
    await passwords.set(tx.db, by.contactId, passwordHash);
    const ended = await sessions.removeAllOf(tx.db, by.contactId, session.tokenHash);
    if (ended > 0) tx.deliver(accessChanged(by.companyId));
    await audit.record(tx.db, by, { action: 'password.set', object: by.contactId });
  });
}
