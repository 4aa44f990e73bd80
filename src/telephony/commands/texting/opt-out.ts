/** Opts somebody out within a transaction: from then on nothing is sent to them, not even what waits. */
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
  // Whoever is sending to them right now comes first, and is seen below.
  await contacts.lockByNumber(db, companyId, to);
  await optOuts.insert(db, pair, source);
  await cancelSends(tx, companyId, { from, to }, { code: CALLED_OFF.optedOut, detail: WHY[source] });
}
