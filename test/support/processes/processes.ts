/** Real processes for tests that kill: compiled code, as in production, recognised by the lines that they print. */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { spawnGuarded } from '../../../scripts/lib/guard';
import type { Environment } from '../kernel/cluster';

export interface TestProcess {
  readonly pid: number;
  /** Waits for a line that matches, printed before or after the call. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  output(): string;
}

const running = new Set<ChildProcess>();

const HERE = join(__dirname, '../../..');

/** The script is given by its source path; its compiled form runs, here or in the folder of another release. */
export function startProcess(
  script: string,
  environment: Environment,
  args: readonly string[] = [],
  folder = HERE,
): TestProcess {
  const path = join(folder, 'dist', script.replace(/\.ts$/, '.js'));
  // Guarded: it ends with the jest worker that started it.
  const child = spawnGuarded(process.execPath, [path, ...args], {
    detached: false,
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let printed = '';
  const listeners = new Set<() => void>();
  const onPrint = (chunk: Buffer) => {
    printed += chunk.toString();
    for (const listener of listeners) listener();
  };
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', onPrint);
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('exit', (code, signal) => {
      running.delete(child);
      resolve(code ?? signal ?? -1);
    });
  });

  return {
    pid: child.pid!,
    ended,
    output: () => printed,
    kill: (signal) => void child.kill(signal),
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(printed);
          if (!match) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        look();
        void ended.then(() => reject(new Error(`the process ended without printing ${String(pattern)}:\n${printed}`)));
      }),
  };
}

/** Whatever a failed test left running. */
export async function killAll(): Promise<void> {
  const ends = [...running].map((child) => new Promise((resolve) => child.once('exit', resolve)));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(ends);
}
