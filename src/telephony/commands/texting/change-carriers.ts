/** Adds and removes carrier accounts and numbers of companies. For operators. */
import { ensure, Fault } from '../../../kernel/fault';
import { newId, newSecret } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import { ifDuplicate } from '../../../kernel/mysql/outcome';
import type { Database } from '../../../kernel/mysql/pool';
import type { Transact } from '../../../kernel/mysql/transaction';
import { carrierNamed } from '../../carriers/carriers';
import type { CompanyId } from '../../model/companies/company';
import {
  TOKEN_LENGTH,
  type CarrierAccount,
  type CarrierName,
  type Credentials,
} from '../../model/texting/carrier-account';
import { readNumber } from '../../model/texting/phone-number';
import type { CarrierAccountId } from '../../model/texting/texting';
import * as accounts from '../../store/texting/carrier-accounts';
import * as calls from '../../store/texting/carrier-calls';
import * as numbers from '../../store/texting/text-numbers';

export interface CarrierDraft {
  readonly companyId: CompanyId;
  readonly carrier: CarrierName;
  readonly credentials: Credentials;
  /** Defaults to the carrier's public API. */
  readonly apiUrl?: string | undefined;
  /** Set only for demo data; otherwise generated. */
  readonly token?: string | undefined;
}

/** The token is shown only once. It is part of the webhook URL to configure at the carrier. */
export async function addCarrierAccount(kernel: Storage, draft: CarrierDraft): Promise<CarrierAccount> {
  const { needs, defaultApiUrl } = carrierNamed(draft.carrier);
  const missing = needs.filter((name) => !draft.credentials[name]);
  ensure(missing.length === 0, new Fault('invalid', `${draft.carrier} needs ${missing.join(', ')}`));
  const apiUrl = (draft.apiUrl ?? defaultApiUrl).replace(/\/+$/, '');
  const isWeb = apiUrl === '' || /^https?:\/\/[^\s]+$/.test(apiUrl);
  ensure(isWeb, new Fault('invalid', `"${apiUrl}" is no address: https://host`));
  const { companyId, carrier, credentials, token = newSecret(TOKEN_LENGTH) } = draft;
  const account = { id: newId() as CarrierAccountId, companyId, carrier, apiUrl, token, credentials };
  await accounts
    .insert(kernel.mysql, kernel.secrets, account)
    .catch(ifDuplicate(() => new Fault('conflict', 'There is an account with this token already')));
  return account;
}

export function removeCarrierAccount(transaction: Transact, id: string): Promise<void> {
  return transaction(async ({ db }) => {
    const isUsed = await numbers.isOnAccount(db, id as CarrierAccountId);
    ensure(!isUsed, new Fault('forbidden', 'There are numbers on this account; remove them first'));
    ensure(await accounts.remove(db, id), new Fault('missing', `There is no account ${id}`));
    await calls.buryAll(db, id, 'The account was removed');
  });
}

export interface NumberDraft {
  readonly number: string;
  readonly accountId: string;
  readonly label: string;
}

export async function addTextNumber(kernel: Storage, draft: NumberDraft): Promise<numbers.NumberLine> {
  const e164 = readNumber(draft.number);
  ensure(e164 !== undefined, new Fault('invalid', `"${draft.number}" is no telephone number: like +15550100001`));
  const { mysql, secrets } = kernel;
  const account = await accounts.byId(mysql, secrets, draft.accountId);
  ensure(account !== undefined, new Fault('missing', `There is no account ${draft.accountId}`));
  const { id: carrierAccountId, companyId, carrier } = account;
  await numbers
    .insert(mysql, { e164, companyId, carrierAccountId, label: draft.label })
    .catch(ifDuplicate((cause) => new Fault('conflict', `There is a number ${e164} already`, { cause })));
  return { e164, label: draft.label, carrier, accountId: carrierAccountId };
}

/** The number's conversations stay, but nothing can be sent from it any more. */
export async function removeTextNumber(db: Database, number: string): Promise<void> {
  const e164 = readNumber(number);
  const isGone = e164 !== undefined && (await numbers.remove(db, e164));
  ensure(isGone, new Fault('missing', `There is no number ${number}`));
}

/** Retries dead calls, for example after a missing number was added or a bug was fixed. */
export const reviveDeadCalls = (db: Database, id?: number): Promise<number> => calls.revive(db, id);
