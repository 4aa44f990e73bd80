#!/usr/bin/env node
/** `partyline`: everything an operator does without a browser. */
import { Command } from 'commander';
import { version } from '../src/version';
import { addMigrateCommands } from './migrate';

const program = new Command('partyline')
  .description('Runs and looks after a Partyline server.')
  .version(version)
  .option('--json', 'print one JSON document instead of text')
  .showHelpAfterError();

addMigrateCommands(program);

void program.parseAsync();
