/** Carrier accounts, numbers and dead calls for operators; the account of a webhook. */
import { hash } from 'node:crypto';
import type { Storage } from '../../../kernel/kernel';
import { isPublished } from '../../model/published';
import type { CarrierAccount } from '../../model/texting/carrier-account';
import type { Telephony } from '../../parts';
import * as accounts from '../../store/texting/carrier-accounts';

type Parts = Storage & Pick<Telephony, 'carrierAccounts' | 'keys' | 'settings'>;

export { list as listCarrierAccounts } from '../../store/texting/carrier-accounts';
export { dead as listDeadCalls } from '../../store/texting/carrier-calls';
export { lines as listTextNumberLines } from '../../store/texting/text-numbers';

const MAX_TOKEN_LENGTH = 200;

/** Finds the carrier account of a webhook token. Cached, because carriers call in bursts. */
export async function findCarrierAccount(
  { keys, mysql, secrets, settings, carrierAccounts }: Parts,
  { token, from }: { readonly token: string; readonly from: string },
): Promise<CarrierAccount | undefined> {
  if (token.length > MAX_TOKEN_LENGTH || isPublished(settings, token)) return undefined;
  // A plain hash takes a fifth of the time of the keyed hash, and never leaves this process.
  return carrierAccounts.get(hash('sha256', token), () => {
    const keyHash = secrets.lookup(token);
    return keys.find({ keyHash, from }, () => accounts.byTokenHash(mysql, secrets, keyHash));
  });
}
