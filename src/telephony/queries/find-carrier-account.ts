/** The account that a webhook's token stands for. Looked up once in a while: carriers call in bursts. */
import { findByKey } from '../../kernel/key-lookups';
import { KeptAnswers } from '../../kernel/kept-answers';
import type { Kernel } from '../../kernel/kernel';
import { perKernel } from '../../kernel/per-kernel';
import type { CarrierAccount } from '../model/carrier-account';
import { isPublished } from '../model/published';
import * as accounts from '../store/carrier-accounts';

/** For so long an account that was removed may still be called. */
const REMEMBERED_MS = 2000;
const BOUNDS = { keptMs: REMEMBERED_MS, most: 10_000, bytes: 8 * 1024 * 1024, valueBytes: 500 };
const LONGEST_TOKEN = 200;

const remembered = perKernel(() => new KeptAnswers<string, CarrierAccount | undefined>(BOUNDS));

export async function findCarrierAccount(
  kernel: Kernel,
  { token, from }: { readonly token: string; readonly from: string },
): Promise<CarrierAccount | undefined> {
  if (token.length > LONGEST_TOKEN || isPublished(kernel.settings, token)) return undefined;
  const keyHash = kernel.secrets.lookup(token);
  return remembered(kernel).get(keyHash, () =>
    findByKey(kernel, { keyHash, from }, () => accounts.byTokenHash(kernel.mysql, kernel.secrets, keyHash)),
  );
}
