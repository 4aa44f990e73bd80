/** The account that a webhook's token stands for. Looked up once in a while: carriers call in bursts. */
import { BoundedMap } from '../../kernel/bounded-map';
import type { Kernel } from '../../kernel/kernel';
import { perKernel } from '../../kernel/per-kernel';
import type { CarrierAccount } from '../model/carrier-account';
import { isPublished } from '../model/published';
import * as accounts from '../store/carrier-accounts';

/** For so long an account that was removed may still be called. */
const REMEMBERED_MS = 2000;
const MOST_REMEMBERED = 10_000;
const LONGEST_TOKEN = 200;

interface Found {
  readonly account: Promise<CarrierAccount | undefined>;
  readonly until: number;
}

const remembered = perKernel(() => new BoundedMap<string, Found>(MOST_REMEMBERED));

export function findCarrierAccount(kernel: Kernel, token: string): Promise<CarrierAccount | undefined> {
  if (token.length > LONGEST_TOKEN || isPublished(kernel.settings, token)) return Promise.resolve(undefined);
  const known = remembered(kernel).get(token);
  if (known && known.until > Date.now()) return known.account;
  const account = accounts.byToken(kernel.mysql, kernel.secrets, token);
  remembered(kernel).set(token, { account, until: Date.now() + REMEMBERED_MS });
  // Trouble is not remembered.
  account.catch(() => remembered(kernel).delete(token));
  return account;
}
