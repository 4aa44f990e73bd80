/** Runs the command line: in this process, or compiled and in its own process, as a person or a script would. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runCommandLine } from '../../../cli/program';
import type { Environment } from '../../support/kernel/cluster';

export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly json: any;
  readonly tookMs: number;
}

export interface RunOptions {
  readonly input?: string;
  readonly environment?: Environment;
}

export type Cli = (args: readonly string[], options?: RunOptions) => Promise<Run>;

const MAIN = join(__dirname, '../../../dist/cli/main.js');
/** Longer than any command may take; a hanging command is killed and has no exit code. */
const PATIENCE_MS = 600_000;

/** A process needs a second of CPU time before it does anything, so tests that do not need one run in this process. */
export function cliOf(shared: Environment): Cli {
  return async (args, { input = '', environment = {} } = {}) => {
    const began = Date.now();
    let [out, err] = ['', ''];
    const code = await runCommandLine(args, {
      environment: { ...shared, ...environment },
      input: Readable.from([Buffer.from(input)]),
      print: (text) => void (out += text),
      complain: (text) => void (err += text),
    });
    return { code, out, err, json: parsed(out), tookMs: Date.now() - began };
  };
}

/** The compiled program, with nothing of our own environment except the path. */
export function cliProcessOf(shared: Environment): Cli {
  return (args, { input = '', environment = {} } = {}) =>
    new Promise((resolve, reject) => {
      const began = Date.now();
      const child = spawn(process.execPath, [MAIN, ...args], {
        env: { PATH: process.env['PATH'] ?? '', ...shared, ...environment },
        timeout: PATIENCE_MS,
        killSignal: 'SIGKILL',
      });
      let [out, err] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, out, err, json: parsed(out), tookMs: Date.now() - began }));
      child.stdin.end(input);
    });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
