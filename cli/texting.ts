/** Commands for texting: carrier accounts, numbers, and carrier messages that could not be read. */
import { InvalidArgumentError, type Command } from 'commander';
import { publicUrlOf } from '../src/products';
import {
  addCarrierAccount,
  addTextNumber,
  removeCarrierAccount,
  removeTextNumber,
  reviveDeadCalls,
} from '../src/telephony/commands/texting/change-carriers';
import { CARRIERS, webhookPath, type CarrierName } from '../src/telephony/model/texting/carrier-account';
import { listCarrierAccounts, listDeadCalls, listTextNumberLines } from '../src/telephony/queries/texting/carriers';
import { choice, passwordFromInput } from './arguments';
import { getCompany } from './company';
import { ensureSecret, withTelephony, type Result, type Session } from './session';
import { counted, facts, table } from './text';

interface CarrierOptions {
  readonly company: string;
  readonly carrier: CarrierName;
  readonly apiUrl?: string;
  readonly token?: string;
}

export function addTextingCommands(program: Command): void {
  const texting = program.command('texting').description('carriers and numbers of the companies');
  addCarrierCommands(texting.command('carrier').description('accounts with carriers'));
  addNumberCommands(texting.command('number').description('numbers that companies text from'));
  addDeadLetterCommands(texting.command('dead-letters').description('what carriers sent that could not be read'));
}

function addCarrierCommands(carrier: Command): void {
  carrier
    .command('add')
    .description('connect a company to a carrier; credentials are read from standard input as a JSON object')
    .requiredOption('--company <name or id>', 'whose')
    .addOption(choice('--carrier <name>', 'which', CARRIERS))
    .option('--api-url <url>', "where its API answers; the carrier's own if not given")
    .option('--token <text>', 'the secret part of the webhook; made up if not given')
    .action(withTelephony((session, options: CarrierOptions) => add(session, options)));

  carrier
    .command('list')
    .description('every account')
    .action(
      withTelephony(async ({ kernel }) => {
        const accounts = await listCarrierAccounts(kernel.mysql);
        const rows = accounts.map(({ id, companyName, carrier: name, apiUrl }) => [id, companyName, name, apiUrl]);
        const text = table(['id', 'company', 'carrier', 'API'], rows, 'there are no accounts with carriers');
        return { data: { accounts }, text };
      }),
    );

  carrier
    .command('remove')
    .description('part a company from a carrier; numbers on the account have to be removed first')
    .argument('<id>', 'which')
    .action(
      withTelephony(async ({ kernel }, id: string) => {
        await removeCarrierAccount(kernel.transaction, id);
        return { data: { removed: id }, text: `removed ${id}` };
      }),
    );
}

async function add(session: Session, options: CarrierOptions): Promise<Result> {
  const { kernel, config } = session;
  await ensureSecret(session);
  const companyId = await getCompany(kernel.mysql, options.company);
  const credentials = readCredentials(await passwordFromInput());
  const { carrier, apiUrl, token } = options;
  const account = await addCarrierAccount(kernel, { companyId, carrier, apiUrl, token, credentials });
  const url = `${publicUrlOf(config)}${webhookPath('texting', account)}`;
  return facts({ id: account.id, carrier, company_id: companyId, webhook_url: url });
}

function readCredentials(text: string): Record<string, string> {
  const mistake = new Error('credentials must be a JSON object of texts, such as {"api_key":"…","public_key":"…"}');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw mistake;
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject || !Object.values(value as object).every((each) => typeof each === 'string')) throw mistake;
  return value as Record<string, string>;
}

function addNumberCommands(number: Command): void {
  number
    .command('add')
    .description('give a number to the company of an account')
    .argument('<number>', 'like +15550100001')
    .requiredOption('--account <id>', 'the account it is on')
    .option('--label <text>', 'what it is for', '')
    .action(
      withTelephony(async ({ kernel }, text: string, { account, label }: { account: string; label: string }) => {
        return facts({ ...(await addTextNumber(kernel, { number: text, accountId: account, label })) });
      }),
    );

  number
    .command('list')
    .description('every number')
    .action(
      withTelephony(async ({ kernel }) => {
        const numbers = await listTextNumberLines(kernel.mysql);
        const rows = numbers.map((each) => [each.e164, each.companyName, each.carrier, each.accountId, each.label]);
        const headings = ['number', 'company', 'carrier', 'account', 'label'];
        return { data: { numbers }, text: table(headings, rows, 'there are no numbers') };
      }),
    );

  number
    .command('remove')
    .description('take a number away; its conversations stay')
    .argument('<number>', 'which')
    .action(
      withTelephony(async ({ kernel }, text: string) => {
        await removeTextNumber(kernel.mysql, text);
        return { data: { removed: text }, text: `removed ${text}` };
      }),
    );
}

function callId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is a number.');
  return Number(text);
}

function addDeadLetterCommands(deadLetters: Command): void {
  deadLetters
    .command('list')
    .description('the newest of them, with the reason')
    .action(
      withTelephony(async ({ kernel }) => {
        const dead = await listDeadCalls(kernel.mysql);
        const rows = dead.map(({ id, at, carrier, accountId, error }) => [id, at, carrier, accountId, error]);
        const headings = ['id', 'came', 'carrier', 'account', 'reason'];
        return { data: { dead_letters: dead }, text: table(headings, rows, 'there are no dead letters') };
      }),
    );

  deadLetters
    .command('retry')
    .description('read them again: all, or one')
    .argument('[id]', 'which', callId)
    .action(
      withTelephony(async ({ kernel }, id: number | undefined) => {
        const retried = await reviveDeadCalls(kernel.mysql, id);
        return { data: { retried }, text: `${counted(retried, 'call')} will be read again` };
      }),
    );
}
