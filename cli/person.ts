/** Commands that export or erase all data about one person. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Command } from 'commander';
import { eraseUser } from '../src/chat/commands/users/deactivate-user';
import { personEntries } from '../src/chat/queries/organisation/export-directory';
import { Fault } from '../src/kernel/fault';
import { tarBytes } from '../src/kernel/files/tar';
import { email } from './arguments';
import { getUser } from './organization';
import { withChat } from './session';
import { counted } from './text';

/** Only for the operator: the archive contains private messages. */
const OWNER_ONLY = 0o600;

interface EraseOptions {
  readonly messages?: true;
  readonly yes?: true;
}

/** Added to the `user` command. */
export function addPersonCommands(program: Command): void {
  const user = program.commands.find((command) => command.name() === 'user');
  if (!user) throw new Error('the command "user" comes first');

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
