#!/usr/bin/env node
/** `partyline`: everything an operator does without a browser. */
import { runCommandLine } from './program';

/** A frozen server may keep a connection open; the command ends anyway. */
const LINGER_MS = 2000;

// `partyline user list | head -1` is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

void runCommandLine(process.argv.slice(2), {
  environment: process.env,
  input: process.stdin,
  print: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
})
  .then((exitCode) => {
    process.exitCode = exitCode;
  })
  .finally(() => setTimeout(() => process.exit(), LINGER_MS).unref());
