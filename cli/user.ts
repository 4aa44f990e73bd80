/** Commands for people who chat: adding, listing, deactivating, exporting and erasing them. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Command } from 'commander';
import { removeTwoFactor } from '../src/chat/commands/accounts/two-factor';
import { createUser } from '../src/chat/commands/users/create-user';
import { deactivateUser, eraseUser, reactivateUser } from '../src/chat/commands/users/deactivate-user';
import type { User } from '../src/chat/model/users/user';
import { personEntries } from '../src/chat/queries/organisation/export-directory';
import { listUsers } from '../src/chat/queries/users/users';
import { Fault } from '../src/kernel/fault';
import { tarBytes } from '../src/kernel/files/tar';
import { choice, email, name, passwordFromInput } from './arguments';
import { getOrganization, getUser } from './organization';
import { ensureSecret, withChat } from './session';
import { counted, table } from './text';

interface AddOptions {
  readonly name: string;
  readonly role: keyof typeof STANDINGS;
  readonly passwordStdin?: true;
}

/** What the roles are stored as. */
const STANDINGS = {
  owner: { role: 'admin', title: 'owner' },
  admin: { role: 'admin' },
  moderator: { role: 'member', title: 'moderator' },
  member: { role: 'member' },
  guest: { role: 'guest' },
} as const;

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('people who chat');

  user
    .command('add')
    .description('add a person')
    .argument('<email>', 'address they log in with', email)
    .requiredOption('--name <full name>', 'as others see it', name(100))
    .addOption(choice('--role <role>', 'what they may do', ['member', 'admin', 'guest', 'moderator', 'owner']))
    .option('--password-stdin', 'read their password from standard input; without it they have none')
    .action(
      withChat(async (session, address: string, options: AddOptions) => {
        const { kernel } = session;
        await ensureSecret(session);
        const { id: realmId } = await getOrganization(session);
        const password = options.passwordStdin ? { password: await passwordFromInput() } : {};
        const { role, name: fullName } = options;
        const { id } = await createUser(kernel, {
          realmId,
          email: address,
          fullName,
          ...STANDINGS[role],
          isWelcomed: true,
          ...password,
        });
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

  addPersonCommands(user);
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
    role: user.title ?? user.role,
    kind: user.botType === null ? 'person' : KINDS[user.botType],
    owner: owner ?? null,
    is_active: user.isActive,
    joined_at: user.joinedAt,
  };
}

/** Only for the operator: the archive contains private messages. */
const OWNER_ONLY = 0o600;

interface EraseOptions {
  readonly messages?: true;
  readonly yes?: true;
}

/** Exporting and erasing all data about one person. */
function addPersonCommands(user: Command): void {
  user
    .command('export')
    .description('write everything that is kept about a person to a new .tar.gz file')
    .argument('<email>', 'whom', email)
    .argument('<file>', 'a new file')
    .action(
      withChat(async (session, address: string, path: string) => {
        const found = await getUser(session, address);
        const { mysql, clock } = session.kernel;
        const file = createWriteStream(path, { flags: 'wx', mode: OWNER_ONLY });
        await pipeline(Readable.from(tarBytes(personEntries(mysql, found), clock.now())), createGzip(), file);
        return { data: { email: found.email, file: path, bytes: file.bytesWritten }, text: `wrote ${path}` };
      }),
    );

  user
    .command('erase')
    .description('forget a person for good: account, profile, sessions; their messages stay as those of a deleted user')
    .argument('<email>', 'whom', email)
    .option('--messages', 'delete everything they wrote and uploaded, too')
    .option('--yes', 'there is no way back, and you know it')
    .action(
      withChat(async (session, address: string, options: EraseOptions) => {
        const found = await getUser(session, address);
        if (found.botType !== null) throw new Fault('invalid', `${found.email} is a bot: deactivate it`);
        if (!options.yes) throw new Fault('invalid', `this cannot be undone: say --yes to erase ${found.email}`);
        const erased = await eraseUser(session.kernel, found, options.messages ?? false);
        const gone = `${counted(erased.messages, 'message')} and ${counted(erased.files, 'file')}`;
        return {
          data: { id: found.id, ...erased },
          text: `erased ${found.email}${options.messages ? `, ${gone}` : ''}`,
        };
      }),
    );
}
