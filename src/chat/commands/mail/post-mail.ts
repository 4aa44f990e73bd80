/** Writes a mail down in the caller's transaction; a worker sends it once that has committed. */
import { jobDelivery } from '../../../kernel/jobs/job';
import type { Tx } from '../../../kernel/mysql/transaction';
import { sendMail } from '../../jobs';
import type { NewMail } from '../../model/mail';
import { realmTenant } from '../../model/realm';
import * as mails from '../../store/mails';

export async function postMail(tx: Tx, mail: NewMail): Promise<void> {
  const mailId = await mails.insert(tx.db, mail);
  const { realmId } = mail;
  tx.deliver(jobDelivery(realmTenant(realmId), sendMail, { payload: { realmId, mailId } }));
}
