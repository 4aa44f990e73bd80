/** Opts a number out within a transaction: cancels queued texts to it and blocks new ones. */
import type { Tx } from '../../../kernel/mysql/transaction';
import type { OptOutSource } from '../../model/texting/opt-out';
import { CALLED_OFF } from '../../model/texting/texting';
import * as optOuts from '../../store/texting/opt-outs';
import * as contacts from '../../store/texting/texting-contacts';
import { cancelSends } from './record-receipt';

const WHY: Readonly<Record<OptOutSource, string>> = {
  text: 'They opted out',
  user: 'It was entered that they opted out',
};

export async function optOut(tx: Tx, pair: optOuts.Pair, source: OptOutSource): Promise<void> {
  const { db } = tx;
  const { companyId, ourNumber: from, theirNumber: to } = pair;
  // Waits for a concurrent send to commit, so that `cancelSends` below sees its text.
  await contacts.lockByNumber(db, companyId, to);
  await optOuts.insert(db, pair, source);
  await cancelSends(tx, companyId, { from, to }, { code: CALLED_OFF.optedOut, detail: WHY[source] });
}
