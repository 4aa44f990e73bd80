/** Adds and removes opt-outs: people who want no texts from one of our numbers. */
import { ensure } from '../../../kernel/fault';
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import type { Caller } from '../../model/contacts/contact';
import { notOwner } from '../../model/faults';
import type { OptOutSource, OptOut } from '../../model/texting/opt-out';
import type { EnteredNumber } from '../../model/texting/phone-number';
import { CALLED_OFF } from '../../model/texting/texting';
import { noOptOut, notOurNumber } from '../../model/texting/texting-faults';
import { optOutObject } from '../../model/texting/texting-wire';
import * as audit from '../../store/companies/audit';
import * as optOuts from '../../store/texting/opt-outs';
import * as numbers from '../../store/texting/text-numbers';
import * as contacts from '../../store/texting/texting-contacts';
import { cancelSends } from './record-receipt';

const WHY: Readonly<Record<OptOutSource, string>> = {
  text: 'They opted out',
  user: 'It was entered that they opted out',
};

/** Opts a number out within a transaction: cancels queued texts to it and blocks new ones. */
export async function optOut(tx: Tx, pair: optOuts.Pair, source: OptOutSource): Promise<void> {
  const { db } = tx;
  const { companyId, ourNumber: from, theirNumber: to } = pair;
  // Waits for a concurrent send to commit, so that `cancelSends` below sees its text.
  await contacts.lockByNumber(db, companyId, to);
  await optOuts.insert(db, pair, source);
  await cancelSends(tx, companyId, { from, to }, { code: CALLED_OFF.optedOut, detail: WHY[source] });
}

export interface OptOutDraft {
  readonly fromNumber: EnteredNumber;
  readonly number: EnteredNumber;
}

const pairOf = (by: Caller, { fromNumber, number }: OptOutDraft): optOuts.Pair => ({
  companyId: by.companyId,
  ourNumber: fromNumber.e164,
  theirNumber: number.e164,
});

export function createOptOut(transaction: Transact, by: Caller, draft: OptOutDraft): Promise<object> {
  return transaction(async (tx) => {
    const { db } = tx;
    const pair = pairOf(by, draft);
    const ours = await numbers.ofCompany(db, by.companyId, pair.ourNumber);
    if (!ours) throw notOurNumber(draft.fromNumber.raw);
    await optOut(tx, pair, 'user');
    return optOutObject((await optOuts.byPair(db, pair))!);
  });
}

/** Finds the opt-out by id or by the pair of numbers. Only the owner may remove one that came by text. */
export function deleteOptOut(transaction: Transact, by: Caller, which: string | OptOutDraft): Promise<object> {
  return transaction(async ({ db }) => {
    const found: OptOut | undefined =
      typeof which === 'string'
        ? await optOuts.byId(db, by.companyId, which)
        : await optOuts.byPair(db, pairOf(by, which));
    if (!found) throw noOptOut();
    ensure(by.isOwner || found.source === 'user', notOwner());
    await optOuts.remove(db, found);
    const detail = { from_number: found.ourNumber, number: found.theirNumber };
    await audit.record(db, by, { action: 'optout.delete', object: found.id, detail });
    return optOutObject(found);
  });
}
