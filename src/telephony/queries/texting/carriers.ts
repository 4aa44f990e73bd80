/** Carrier accounts, numbers and dead calls for operators; the account of a webhook. */
import type { Kernel } from '../../../kernel/kernel';
import { isPublished } from '../../model/published';
import type { CarrierAccount } from '../../model/texting/carrier-account';
import type { Telephony } from '../../parts';
import * as accounts from '../../store/texting/carrier-accounts';
import * as calls from '../../store/texting/carrier-calls';
import * as numbers from '../../store/texting/text-numbers';

export const listCarrierAccounts = ({ mysql }: Kernel): Promise<accounts.AccountLine[]> => accounts.list(mysql);

export const listTextNumberLines = ({ mysql }: Kernel): Promise<(numbers.NumberLine & { companyName: string })[]> =>
  numbers.lines(mysql);

export const listDeadCalls = ({ mysql }: Kernel): Promise<calls.DeadCall[]> => calls.dead(mysql);

const MAX_TOKEN_LENGTH = 200;

/** Finds the carrier account of a webhook token. Cached, because carriers call in bursts. */
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
