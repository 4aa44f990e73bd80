/** Every command of `partyline`, and how one is run. */
import { Command, CommanderError } from 'commander';
import { version } from '../src/version';
import { addBackupCommands } from './backup';
import { addBotCommands } from './bot';
import { addCompanyCommands } from './company';
import { addConfigCommand } from './config';
import { addDoctorCommand } from './doctor';
import { addInstanceCommands } from './instance';
import { addJobCommands } from './jobs';
import { addKeyCommands } from './key';
import { addMigrateCommands } from './migrate';
import { addOperatorCommands } from './operator';
import { addOrganizationCommands } from './organization';
import { sayError } from './session';
import { addStatusCommand } from './status';
import { runAt, terminal, type Terminal } from './terminal';
import { addTextingCommands } from './texting';
import { addUserCommands } from './user';

function createProgram(): Command {
  const program = new Command('partyline')
    .description('Runs and looks after a Partyline server.')
    .version(version)
    .option('--json', 'print one JSON document instead of text')
    .option('--org <subdomain>', 'the organization meant, on a server with several')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => terminal().print(text),
      writeErr: (text) => terminal().complain(text),
      // Command-line mistakes are reported like all other errors; commander still prints help.
      outputError: () => {},
    })
    .exitOverride();
  for (const add of [
    addStatusCommand,
    addDoctorCommand,
    addConfigCommand,
    addMigrateCommands,
    addBackupCommands,
    addOrganizationCommands,
    addUserCommands,
    addBotCommands,
    addKeyCommands,
    addCompanyCommands,
    addInstanceCommands,
    addTextingCommands,
    addOperatorCommands,
    addJobCommands,
  ]) {
    add(program);
  }
  return program;
}

const HELP = new Set(['commander.help', 'commander.helpDisplayed', 'commander.version']);

/** Runs the command that the arguments name, and returns its exit code. */
export function runCommandLine(args: readonly string[], place: Terminal): Promise<number> {
  return runAt(place, async () => {
    try {
      await createProgram().parseAsync(args, { from: 'user' });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      if (HELP.has(error.code)) terminal().exitCode = error.exitCode;
      else sayError(oneLine(error.message), args.includes('--json'));
    }
  });
}

/** "error: unknown option '--jsn'\n(Did you mean --json?)" */
const oneLine = (message: string): string => message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
