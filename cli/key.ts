/** Commands for API keys: shows those that can be shown, and replaces any. */
import type { Command } from 'commander';
import { rotateKey as rotateUserKey } from '../src/chat/commands/accounts/rotate-key';
import { keyOf } from '../src/chat/queries/accounts/keys';
import type { Storage } from '../src/kernel/kernel';
import { rotateKey as rotateCompanyKey } from '../src/telephony/commands/companies/change-companies';
import { email } from './arguments';
import { getCompany } from './company';
import { getUser } from './organization';
import { ensureServed, withChat, withKernel, type Result, type Session } from './session';

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('API keys');

  key
    .command('show')
    .description("print a chat user's or bot's key")
    .argument('<email>', 'whose', email)
    .action(withChat((session, address: string) => show(session, address)));

  key
    .command('rotate')
    .description('replace a key and print the new one; the old one is refused from then on')
    .argument('[email]', "the chat user's or bot's", email)
    .option('--company <name or id>', "or a telephony company's, which is shown this once")
    .action(
      withKernel(async (session, address: string | undefined, { company }: { company?: string }) => {
        if ((address === undefined) === (company === undefined)) {
          throw new Error('name either an email address or --company');
        }
        ensureServed(session.config, address === undefined ? 'telephony' : 'chat');
        return address === undefined ? rotateCompany(session.kernel, company!) : rotateUser(session, address);
      }),
    );
}

async function show(session: Session, address: string): Promise<Result> {
  const user = await getUser(session, address);
  const { api_key: key } = await keyOf(session.kernel, user).catch((error: Error) => {
    throw new Error('the stored key cannot be read: SECRET_KEY is not the one it was stored with', { cause: error });
  });
  return { data: { email: user.email, key }, text: key };
}

async function rotateUser(session: Session, address: string): Promise<Result> {
  const user = await getUser(session, address);
  const key = await rotateUserKey(session.kernel, user);
  return { data: { email: user.email, key }, text: key };
}

async function rotateCompany(kernel: Storage, idOrName: string): Promise<Result> {
  const id = await getCompany(kernel.mysql, idOrName);
  const key = await rotateCompanyKey(kernel, id);
  return { data: { company: id, key }, text: key };
}
