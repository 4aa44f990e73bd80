/** Replaces all API keys of a company with a new one. The new key is shown only once. */
import { newSecret } from '../../../kernel/id';
import type { Kernel } from '../../../kernel/kernel';
import { accessChanged } from '../../model/companies/access';
import { KEY_LENGTH, type CompanyId } from '../../model/companies/company';
import * as companies from '../../store/companies/companies';
import * as keys from '../../store/companies/keys';
import * as sessions from '../../store/portal/sessions';

export async function rotateKey(kernel: Kernel, companyId: CompanyId): Promise<string> {
  const key = newSecret(KEY_LENGTH);
  await kernel.transaction(async (tx) => {
    const { db } = tx;
    // Locked, because two concurrent rotations would each leave a key.
    await companies.lock(db, companyId);
    await sessions.removeOfKeys(db, await keys.hashesOf(db, companyId));
    await keys.removeAll(db, companyId);
    await keys.insert(db, companyId, kernel.secrets.lookup(key));
    tx.deliver(accessChanged(companyId));
  });
  return key;
}
