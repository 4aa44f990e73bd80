/** The organization that chats on this server. */
import type { Command } from 'commander';
import { createRealm } from '../src/chat/commands/create-realm';
import type { Realm } from '../src/chat/model/realm';
import type { User } from '../src/chat/model/user';
import { findRealm } from '../src/chat/queries/find-realm';
import { findUser } from '../src/chat/queries/find-user';
import type { Kernel } from '../src/kernel/kernel';
import { name } from './arguments';
import { withKernel } from './session';

export function addOrganizationCommands(program: Command): void {
  program
    .command('organization')
    .description('the organization that chats here')
    .command('add')
    .description('found it; demo data have one already')
    .argument('<name>', 'what it is called', name(100))
    .option('--description <text>', 'shown to those who log in', '')
    .action(
      withKernel(async ({ kernel }, organization: string, options: { description: string }) => {
        const id = await createRealm(kernel, { name: organization, description: options.description });
        return { data: { id, name: organization }, text: `founded ${organization}` };
      }),
    );
}

export async function getOrganization(kernel: Kernel): Promise<Realm> {
  const realm = await findRealm(kernel);
  if (!realm) throw new Error('there is no organization yet: run "partyline organization add <name>"');
  return realm;
}

export async function getUser(kernel: Kernel, address: string): Promise<User> {
  const user = await findUser(kernel, (await getOrganization(kernel)).id, address);
  if (!user) throw new Error(`there is no user ${address}: see "partyline user list"`);
  return user;
}
