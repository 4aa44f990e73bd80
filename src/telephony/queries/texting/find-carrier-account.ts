/** Finds the carrier account of a webhook token. Cached, because carriers call in bursts. */
import { isPublished } from '../../model/published';
import type { CarrierAccount } from '../../model/texting/carrier-account';
import type { Telephony } from '../../parts';
import * as accounts from '../../store/texting/carrier-accounts';

const MAX_TOKEN_LENGTH = 200;

export async function findCarrierAccount(
  { kernel, carrierAccounts }: Pick<Telephony, 'kernel' | 'carrierAccounts'>,
  { token, from }: { readonly token: string; readonly from: string },
): Promise<CarrierAccount | undefined> {
  if (token.length > MAX_TOKEN_LENGTH || isPublished(kernel.settings, token)) return undefined;
  const keyHash = kernel.secrets.lookup(token);
  return carrierAccounts.get(keyHash, () =>
    kernel.keys.find({ keyHash, from }, () => accounts.byTokenHash(kernel.mysql, kernel.secrets, keyHash)),
  );
}
