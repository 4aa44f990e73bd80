/** Commands for people who chat: adding, listing, deactivating and reactivating them. */
import type { Command } from 'commander';
import { removeTwoFactor } from '../src/chat/commands/accounts/two-factor';
import { createUser } from '../src/chat/commands/users/create-user';
import { deactivateUser, reactivateUser } from '../src/chat/commands/users/deactivate-user';
import type { Role, User } from '../src/chat/model/users/user';
import { listUsers } from '../src/chat/queries/users/users';
import { choice, email, name, passwordFromInput } from './arguments';
import { getOrganization, getUser } from './organization';
import { ensureSecret, withChat } from './session';
import { table } from './text';

interface AddOptions {
  readonly name: string;
  readonly role: Role;
  readonly passwordStdin?: true;
}

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('people who chat');

  user
    .command('add')
    .description('add a person')
    .argument('<email>', 'address they log in with', email)
    .requiredOption('--name <full name>', 'as others see it', name(100))
    .addOption(choice('--role <role>', 'what they may do', ['member', 'admin', 'guest']))
    .option('--password-stdin', 'read their password from standard input; without it they have none')
    .action(
      withChat(async (session, address: string, options: AddOptions) => {
        const { kernel } = session;
        await ensureSecret(session);
        const { id: realmId } = await getOrganization(session);
        const password = options.passwordStdin ? { password: await passwordFromInput() } : {};
        const { role, name: fullName } = options;
        const { id } = await createUser(kernel, { realmId, email: address, fullName, role, ...password });
        return { data: { id, email: address, full_name: fullName, role }, text: `added ${address} (${role})` };
      }),
    );

  user
    .command('list')
    .description('everybody, bots and deactivated accounts included')
    .action(
      withChat(async (session) => {
        const users = await listUsers(session.kernel.mysql, (await getOrganization(session)).id);
        const emails = new Map(users.map((each) => [each.id, each.email]));
        const lines = users.map((each) => lineOf(each, each.botOwnerId && emails.get(each.botOwnerId)));
        const headings = ['id', 'email', 'name', 'role', 'kind', 'owner', 'active', 'joined'];
        return {
          data: { users: lines },
          text: table(headings, lines.map(Object.values) as string[][], 'there are no users'),
        };
      }),
    );

  addSwitch(user, 'deactivate', 'lock somebody out; what they wrote stays', false);
  addSwitch(user, 'reactivate', 'let somebody in again', true);

  user
    .command('remove-two-factor')
    .description('for somebody who lost their authenticator and their recovery codes')
    .argument('<email>', 'whose', email)
    .action(
      withChat(async (session, address: string) => {
        const found = await getUser(session, address);
        await removeTwoFactor(session.kernel.transaction, found);
        return { data: { email: found.email }, text: `${found.email} signs in without a second factor` };
      }),
    );
}

function addSwitch(user: Command, verb: string, description: string, isActive: boolean): void {
  user
    .command(verb)
    .description(description)
    .argument('<email>', 'whom', email)
    .action(
      withChat(async (session, address: string) => {
        const found = await getUser(session, address);
        await (isActive ? reactivateUser : deactivateUser)(session.kernel, found);
        return { data: { email: found.email, is_active: isActive }, text: `${verb}d ${found.email}` };
      }),
    );
}

const KINDS = { 1: 'bot', 2: 'webhook bot', 3: 'outgoing webhook bot' } as const;

function lineOf(user: User, owner: string | null | undefined) {
  return {
    id: user.id,
    email: user.email,
    full_name: user.fullName,
    role: user.role,
    kind: user.botType === null ? 'person' : KINDS[user.botType],
    owner: owner ?? null,
    is_active: user.isActive,
    joined_at: user.joinedAt,
  };
}
