#!/usr/bin/env node
/** `partyline`: everything an operator does without a browser. */
import { Command, CommanderError } from 'commander';
import { version } from '../src/version';
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
import { addOrganizationSettings } from './organization-settings';
import { sayError } from './session';
import { addStatusCommand } from './status';
import { addTextingCommands } from './texting';
import { addUserCommands } from './user';

const program = new Command('partyline')
  .description('Runs and looks after a Partyline server.')
  .version(version)
  .option('--json', 'print one JSON document instead of text')
  .option('--org <subdomain>', 'the organization meant, on a server with several')
  .configureHelp({ showGlobalOptions: true })
  // Mistakes on the command line are said as all others are; help is still printed by commander.
  .configureOutput({ outputError: () => {} })
  .exitOverride();

for (const add of [
  addStatusCommand,
  addDoctorCommand,
  addConfigCommand,
  addMigrateCommands,
  addOrganizationCommands,
  addOrganizationSettings,
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

const HELP = new Set(['commander.help', 'commander.helpDisplayed', 'commander.version']);
/** A server that froze may hold a connection open; the command is over all the same. */
const LINGER_MS = 2000;

// `partyline user list | head -1` is no mistake.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

program
  .parseAsync()
  .catch((error: unknown) => {
    if (!(error instanceof CommanderError)) throw error;
    if (HELP.has(error.code)) process.exitCode = error.exitCode;
    else sayError(oneLine(error.message), process.argv.includes('--json'));
  })
  .finally(() => setTimeout(() => process.exit(), LINGER_MS).unref());

/** "error: unknown option '--jsn'\n(Did you mean --json?)" */
const oneLine = (message: string): string => message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
