/** Tracks every process that a run has started, so that none outlives it. */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { spawnGuarded } from '../../scripts/lib/guard';
import type { Message, Reply, Shape } from './program';

export interface Child {
  readonly pid: number;
  /** Resolves when it has ended, with how it ended. */
  readonly exit: Promise<string>;
  end(): Promise<void>;
}

export interface Program<S extends Shape> extends Child {
  readonly ready: S['ready'];
  run(order: S['order']): Promise<S['report']>;
}

const GRACE_MS = 3000;
/** As in the image. The bare programs use the same. */
const NODE_OPTIONS = '--max-semi-space-size=32';
const children = new Set<Child>();

export async function endChildren(): Promise<void> {
  await Promise.all([...children].map((child) => child.end()));
}

/** Registers a server that was started elsewhere, so that it ends with the others. */
export function endWithOthers(server: { pid: number; exit: Promise<void>; kill(): Promise<void> }): void {
  const child: Child = { pid: server.pid, exit: server.exit.then(() => 'ended'), end: () => server.kill() };
  children.add(child);
  void child.exit.then(() => children.delete(child));
}

/** Starts dist/bench/<path>.js and opens it. */
export async function startProgram<S extends Shape>(path: string, options: S['options']): Promise<Program<S>> {
  const process = fork(join(__dirname, '..', `${path}.js`), [], {
    // Options contain passwords, so they are sent by message, never on the command line or in the environment.
    env: { NODE_OPTIONS },
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const child = keep(process, path, () => process.connected && process.disconnect());

  function ask(message: Message): Promise<unknown> {
    return new Promise((resolve, reject) => {
      process.once('message', (reply: Reply) =>
        'error' in reply ? reject(new Error(`${path}: ${reply.error}`)) : resolve(reply.value),
      );
      void child.exit.then((how) => reject(new Error(how)));
      process.send(message);
    });
  }

  const ready = await ask({ open: options });
  return { ...child, ready, run: (order) => ask({ run: order }) };
}

/** Starts a script of the product with only the given environment. Its log is discarded; what it says of its end is kept. */
export function startScript(
  script: string,
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Child {
  const process = spawnGuarded(globalThis.process.execPath, [join(__dirname, '../..', script), ...args], {
    env: { NODE_OPTIONS, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  process.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    globalThis.process.stderr.write(chunk);
  });
  const child = keep(process, script, () => process.kill('SIGTERM'));
  return { ...child, exit: child.exit.then((how) => `${said}${how}`) };
}

function keep(process: ChildProcess, name: string, ask: () => void): Child {
  const exit = new Promise<string>((resolve) => {
    process.once('error', (error) => resolve(`${name} could not be started: ${error.message}`));
    process.once('exit', (code, signal) => resolve(`${name} ended (${signal ?? code})`));
  });
  const child: Child = {
    pid: process.pid ?? 0,
    exit,
    async end() {
      ask();
      const insist = setTimeout(() => process.kill('SIGKILL'), GRACE_MS);
      await exit;
      clearTimeout(insist);
    },
  };
  children.add(child);
  void exit.then(() => children.delete(child));
  return child;
}
