/** Commands for chat bots, each owned by a person. */
import type { Command } from 'commander';
import { createUser } from '../src/chat/commands/users/create-user';
import { INCOMING_WEBHOOK, type BotType } from '../src/chat/model/users/user';
import { choice, email, name } from './arguments';
import { getOrganization, getUser } from './organization';
import { ensureSecret, withChat } from './session';
import { facts } from './text';

const TYPES: Readonly<Record<string, BotType>> = { generic: 1, webhook: INCOMING_WEBHOOK };

interface AddOptions {
  readonly name: string;
  readonly owner: string;
  readonly type: string;
}

export function addBotCommands(program: Command): void {
  program
    .command('bot')
    .description('programs that chat')
    .command('add')
    .description('add a bot and print its key')
    .argument('<email>', 'its address', email)
    .requiredOption('--name <full name>', 'as others see it', name(100))
    .requiredOption('--owner <email>', 'the person it belongs to', email)
    .addOption(choice('--type <type>', 'webhook: it may only receive webhooks', Object.keys(TYPES)))
    .action(
      withChat(async (session, address: string, options: AddOptions) => {
        const { kernel } = session;
        await ensureSecret(session);
        const { id: realmId } = await getOrganization(session);
        const owner = await getUser(session, options.owner);
        if (owner.botType !== null) throw new Error(`${owner.email} is a bot; a bot belongs to a person`);
        const { id, key } = await createUser(kernel, {
          realmId,
          email: address,
          fullName: options.name,
          role: 'member',
          bot: { type: TYPES[options.type] ?? 1, ownerId: owner.id },
        });
        return facts({ id, email: address, full_name: options.name, type: options.type, owner: owner.email, key });
      }),
    );
}
