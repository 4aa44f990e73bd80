/**
 * Refuses orders for what the PBX would lose: fields that it cannot hold, and messages of mailboxes. Keeps members at the
 * portal from calling under the numbers of others.
 */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { Caller } from '../../model/contacts/contact';
import { lossInCalls, nameRefusal } from '../../model/extensions/backend-fields';
import { readCallerId, type ExtensionData } from '../../model/extensions/extension';
import { givenFields, type ExtensionBody } from '../../model/extensions/extension-draft';
import { FIELDS, fallbackOf } from '../../model/extensions/extension-fields';
import { changed, type ExtensionChange } from '../../model/extensions/operation';
import { unseal } from '../../model/extensions/sealing';
import { emptiesMailbox, mustConfirm } from '../../model/extensions/voicemail-loss';
import { invalid, notCompanyNumber } from '../../model/faults';
import { kindOf } from '../../model/sites/backends';
import type { Instance } from '../../model/sites/site';
import { comparableNumber } from '../../model/texting/phone-number';
import { companyNumbers } from '../../queries/companies/companies';
import type { SealedExtension } from '../../store/extensions/extensions';

export function ensureKept(instance: Instance, body: ExtensionBody, before?: SealedExtension): void {
  const { name } = (body.data ?? {}) as { name?: string };
  const kind = kindOf(instance);
  const isNewName = name !== undefined && name !== before?.data['name'];
  const refusal =
    lossInCalls(kind, givenFields(body), before?.data) ?? (isNewName ? nameRefusal(kind, name) : undefined);
  if (refusal !== undefined) throw invalid(refusal);
}

/** Returns whether the caller has confirmed it. Throws if that is needed: the worker looks again, at the PBX itself. */
export function mayEmptyMailbox(
  { secrets, clock }: Storage,
  { backend }: Instance,
  sealed: SealedExtension,
  change: ExtensionChange,
): boolean {
  if (change.body.discard_voicemail) return true;
  const before = unseal(secrets, sealed);
  const lost = emptiesMailbox(backend, before, changed(before, change, clock.now()));
  ensure(lost.length === 0, mustConfirm(lost));
  return false;
}

const CALLER_IDS = ['outboundcid', 'emergency_cid', 'callerid', 'cid_masquerade'];

interface Change {
  readonly number: number;
  readonly after: ExtensionData;
  readonly before?: ExtensionData;
}

/**
 * A caller id that is new must have a number of the company; within the PBX, that of the extension itself will do. The
 * owner and the company's API keys may set any.
 */
export async function ensureOwnCallerIds(db: Database, by: Caller, { number, after, before }: Change): Promise<void> {
  if (by.isOwner || by.isAtPortal !== true) return;
  const shown = (name: string): string => comparableNumber(readCallerId(String(after[name])).number);
  const isOfExtension = (callerId: string): boolean =>
    callerId === fallbackOf(FIELDS['callerid']!, number, String(after['name'])) ||
    comparableNumber(readCallerId(callerId).number) === comparableNumber(String(number));
  const isHarmless = (name: string): boolean =>
    after[name] === before?.[name] ||
    String(after[name]).trim() === '' ||
    (name === 'callerid' && isOfExtension(String(after[name])));
  const changed = CALLER_IDS.filter((name) => !isHarmless(name));
  if (changed.length === 0) return;
  const own = new Set((await companyNumbers(db, by.companyId)).map(({ number: each }) => comparableNumber(each)));
  const foreign = changed.find((name) => !own.has(shown(name)));
  if (foreign !== undefined) throw notCompanyNumber(foreign);
}
