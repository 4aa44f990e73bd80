/** Writes a mail down in the caller's transaction; a worker sends it once that has committed. */
import { wakeAfter } from '../../../kernel/mailbox/mailbox';
import type { Tx } from '../../../kernel/mysql/transaction';
import { mails as mailbox } from '../../actors/mailboxes';
import type { NewMail } from '../../model/mail/mail';
import * as mails from '../../store/mail/mails';

export async function postMail(tx: Tx, mail: NewMail): Promise<void> {
  const mailId = await mails.insert(tx.db, mail);
  wakeAfter(tx, mailbox, { id: String(mailId), group: String(mail.realmId) });
}
