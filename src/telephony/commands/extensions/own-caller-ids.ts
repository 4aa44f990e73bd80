/** Keeps members at the portal from calling under the numbers of others. */
import type { Database } from '../../../kernel/mysql/pool';
import type { Caller } from '../../model/contacts/contact';
import { readCallerId, type ExtensionData } from '../../model/extensions/extension';
import { FIELDS, fallbackOf } from '../../model/extensions/extension-fields';
import { notCompanyNumber } from '../../model/faults';
import { comparableNumber } from '../../model/texting/phone-number';
import { companyNumbers } from '../../queries/companies/companies';

const CALLER_IDS = ['outboundcid', 'emergency_cid', 'callerid'];

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
