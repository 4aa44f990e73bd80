/** Creates and deletes a company's API keys. Only its owner may. */
import { ensure } from '../../../kernel/fault';
import { newSecret } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import type { Transact } from '../../../kernel/mysql/transaction';
import { accessChanged, KEY_ID_LENGTH, MAX_KEYS, type NamedKey } from '../../model/companies/key';
import { KEY_LENGTH } from '../../model/companies/company';
import type { Caller } from '../../model/contacts/contact';
import { invalid, notOwner, existing } from '../../model/faults';
import { noKey, tooManyKeys } from '../../model/portal/portal-faults';
import * as audit from '../../store/companies/audit';
import * as companies from '../../store/companies/companies';
import * as keys from '../../store/companies/keys';
import * as sessions from '../../store/portal/sessions';

/** The key is shown only once. */
export async function createKey(
  kernel: Storage,
  by: Caller,
  draft: keys.NewKey,
): Promise<{ readonly key: string; readonly named: NamedKey }> {
  ensure(by.isOwner, notOwner());
  ensure(draft.endsAt === null || draft.endsAt > kernel.clock.now(), invalid('ends_at: must lie in the future'));
  const key = newSecret(KEY_LENGTH);
  const hash = kernel.secrets.lookup(key);
  const id = hash.slice(0, KEY_ID_LENGTH);
  await kernel.transaction(async ({ db }) => {
    await companies.lock(db, by.companyId);
    ensure((await keys.count(db, by.companyId)) < MAX_KEYS, tooManyKeys(MAX_KEYS));
    await keys.insert(db, by.companyId, hash, draft);
    const { name, rights } = draft;
    await audit.record(db, by, { action: 'key.create', object: id, detail: { name, rights } });
  });
  return { key, named: { ...draft, id, createdAt: kernel.clock.now(), lastUsedAt: null } };
}

/** Also ends the sockets and sessions that were opened with the key. */
export async function deleteKey(transaction: Transact, by: Caller, id: string): Promise<void> {
  ensure(by.isOwner, notOwner());
  await transaction(async (tx) => {
    const hash = existing(await keys.hashById(tx.db, by.companyId, id), noKey);
    await keys.remove(tx.db, hash);
    await sessions.removeOfKeys(tx.db, [hash]);
    await audit.record(tx.db, by, { action: 'key.delete', object: id });
    tx.deliver(accessChanged(by.companyId));
  });
}
