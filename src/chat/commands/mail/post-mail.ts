/** Stores a mail in the caller's transaction. A worker sends it after the commit. */
import { WRITTEN } from '../../../kernel/mailbox/mailbox';
import type { Tx } from '../../../kernel/mysql/transaction';
import { mails as mailbox } from '../../actors/mailboxes';
import type { NewMail } from '../../model/mail/mail';
import { realmTenant } from '../../model/organisation/realm';
import * as mails from '../../store/mail/mails';

export async function postMail(tx: Tx, mail: NewMail): Promise<void> {
  const mailId = await mails.insert(tx.db, mail);
  mailbox.at(realmTenant(mail.realmId), String(mailId)).send(tx, WRITTEN);
}
