/** How operators connect carrier accounts of companies, with their numbers. */
import { ensure, Fault } from '../../../kernel/fault';
import { noteFarEnd } from '../../../kernel/far-ends/far-end-notes';
import { field, type FarEndKeeper, type FarEndType, type FieldValues } from '../../../kernel/far-ends/keeper';
import { newId } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import { isSecretName } from '../../../kernel/secrets/secret-names';
import { CarrierError } from '../../carriers/carrier';
import { carrierNamed } from '../../carriers/carriers';
import { companyIdOf, companyTenant } from '../../model/companies/company';
import { CARRIERS, webhookPath, type CarrierAccount, type CarrierName } from '../../model/texting/carrier-account';
import { readNumber } from '../../model/texting/phone-number';
import type { E164, OutboundText, SendId } from '../../model/texting/texting';
import * as accounts from '../../store/texting/carrier-accounts';
import * as numbers from '../../store/texting/text-numbers';
import { addCarrierAccount, addTextNumber, removeCarrierAccount, removeTextNumber } from './change-carriers';

interface Settings {
  readonly nodeEnv: string;
  readonly publicUrl: string;
  readonly carrierCallMs: number;
}

/** Credentials that an account may have besides those that it needs. */
const OPTIONAL: Readonly<Partial<Record<CarrierName, readonly string[]>>> = { telnyx: ['messaging_profile_id'] };

const credentialFields = (carrier: CarrierName) => [
  ...carrierNamed(carrier).needs.map((name) => field(name, isSecretName(name) ? 'secret' : 'text', true)),
  ...(OPTIONAL[carrier] ?? []).map((name) => field(name, 'text')),
];

export const carrierTypes = (nodeEnv: string): FarEndType[] =>
  CARRIERS.filter((carrier) => carrier !== 'simulated' || nodeEnv !== 'production')
    // The real ones first.
    .toReversed()
    .map((type) => ({
      type,
      fields: [...credentialFields(type), field('numbers', 'lines'), field('api_url', 'address')],
    }));

export function carrierKeeper(settings: Settings): FarEndKeeper {
  const shownOf = (account: CarrierAccount) => ({
    webhook_url: `${settings.publicUrl.replace(/\/+$/, '')}${webhookPath('texting', account)}`,
  });
  return {
    kind: 'carrier',
    types: carrierTypes(settings.nodeEnv),
    testFields: [field('to', 'text', true)],
    async get({ mysql, secrets }, id) {
      const account = await accounts.byId(mysql, secrets, id);
      if (!account) return undefined;
      const kept = credentialFields(account.carrier).filter(({ kind }) => kind === 'text');
      const own = await numbers.ofAccount(mysql, account.id);
      const fields = {
        ...Object.fromEntries(kept.map(({ name }) => [name, account.credentials[name] ?? ''])),
        api_url: account.apiUrl,
        numbers: own.join('\n'),
      };
      return { id, tenant: companyTenant(account.companyId), type: account.carrier, fields };
    },
    async add(kernel, { tenant, type, fields }) {
      const companyId = companyIdOf(tenant);
      ensure(companyId !== undefined, new Fault('invalid', 'tenant: must be a company'));
      const carrier = type as CarrierName;
      const wanted = numbersIn(fields);
      await ensureFree(kernel, wanted);
      const account = await addCarrierAccount(kernel, {
        companyId,
        carrier,
        credentials: credentialsIn(carrier, fields),
        apiUrl: fields['api_url'] || undefined,
      });
      for (const number of wanted) await addTextNumber(kernel, { number, accountId: account.id, label: '' });
      return { id: account.id, shown: shownOf(account) };
    },
    async change(kernel, id, fields) {
      const before = await existing(kernel, id);
      const wanted = numbersIn(fields);
      const own = await numbers.ofAccount(kernel.mysql, before.id);
      await ensureFree(
        kernel,
        wanted.filter((number) => !own.includes(number)),
      );
      const credentials = { ...before.credentials, ...credentialsIn(before.carrier, fields) };
      const apiUrl = (fields['api_url'] || carrierNamed(before.carrier).defaultApiUrl).replace(/\/+$/, '');
      await accounts.update(kernel.mysql, kernel.secrets, { ...before, apiUrl, credentials });
      for (const number of own.filter((each) => !wanted.includes(each))) await removeTextNumber(kernel.mysql, number);
      for (const number of wanted.filter((each) => !own.includes(each))) {
        await addTextNumber(kernel, { number, accountId: id, label: '' });
      }
      return shownOf(before);
    },
    async test(kernel, id, { to = '' }) {
      const account = await existing(kernel, id);
      const [from] = await numbers.ofAccount(kernel.mysql, account.id);
      ensure(from !== undefined, new Fault('invalid', 'The account has no number to send from; add one first'));
      const began = performance.now();
      const error = await sendTest(settings, account, { from, to: readOne('to', to) });
      await noteFarEnd(kernel, { kind: 'carrier', id }, error === undefined ? { wasFailing: true } : { error });
      const tookMs = Math.round(performance.now() - began);
      return { isWell: error === undefined, tookMs, detail: error ?? 'The carrier took the text' };
    },
    remove: (kernel, id) => removeCarrierAccount(kernel.transaction, id),
  };
}

/** The carrier's words if it did not take the text. */
async function sendTest(
  { carrierCallMs, publicUrl }: Settings,
  account: CarrierAccount,
  { from, to }: { readonly from: E164; readonly to: E164 },
): Promise<string | undefined> {
  const id = newId();
  const text: OutboundText = {
    id: id as SendId,
    textId: id as OutboundText['textId'],
    companyId: account.companyId,
    conversationId: id as OutboundText['conversationId'],
    carrierAccountId: account.id,
    from,
    to,
    text: 'Test',
    fileIds: [],
  };
  const webhookUrl = `${publicUrl.replace(/\/+$/, '')}${webhookPath('texting', account)}`;
  try {
    await carrierNamed(account.carrier).send(account, { ...text, mediaUrls: [], webhookUrl }, carrierCallMs);
    return undefined;
  } catch (error) {
    if (error instanceof CarrierError) return error.message;
    throw error;
  }
}

async function existing({ mysql, secrets }: Storage, id: string): Promise<CarrierAccount> {
  const account = await accounts.byId(mysql, secrets, id);
  if (!account) throw new Fault('missing', `There is no account ${id}`);
  return account;
}

/** Empty ones stay as they are. */
const credentialsIn = (carrier: CarrierName, fields: FieldValues): Record<string, string> =>
  Object.fromEntries(
    credentialFields(carrier).flatMap(({ name }) => {
      const value = fields[name]?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );

function readOne(name: string, written: string): E164 {
  const number = readNumber(written);
  ensure(number !== undefined, new Fault('invalid', `${name}: "${written}" is no telephone number: like +15550100001`));
  return number;
}

const numbersIn = ({ numbers: lines = '' }: FieldValues): E164[] => [
  ...new Set(
    lines
      .split(/[\n,;]/)
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line) => readOne('numbers', line)),
  ),
];

/** Before anything is changed. */
async function ensureFree({ mysql }: Storage, wanted: readonly E164[]): Promise<void> {
  for (const number of wanted) {
    const isTaken = (await numbers.byE164(mysql, number)) !== undefined;
    ensure(!isTaken, new Fault('conflict', `There is a number ${number} already`));
  }
}
