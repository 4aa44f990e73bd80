/** A complete `npm start` for a test: with its own data and ports, and nothing left when the tests end. */

import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { spawnGuarded } from '../../scripts/lib/guard';
import { reservePorts } from '../../scripts/lib/ports';
import { answersOk } from '../../scripts/lib/start/probes';
import { isAlive } from '../../scripts/lib/processes';
import { until } from '../../scripts/lib/waiting';

export const checkout = path.resolve(__dirname, '../..');

export interface Ground {
  readonly dataDir: string;
  readonly port: number;
  readonly env: NodeJS.ProcessEnv;
}

export interface Run {
  readonly process: ChildProcess;
  /** Everything it has printed so far. */
  output(): string;
  /** Resolves with its exit code, or the signal that ended it. */
  readonly exit: Promise<number | string>;
}

export async function newGround(more: NodeJS.ProcessEnv = {}): Promise<Ground> {
  const dataDir = mkdtempSync(path.join(process.env['TEST_RUN_DIR'] ?? '', 'start-'));
  const port = await reservePorts(4);
  const ports = { PORT: String(port), PBX_SIM_PORT: String(port + 3) };
  const { NODE_ENV: _test, ...inherited } = process.env;
  return { dataDir, port, env: { ...inherited, ...ports, DATA_DIR: dataDir, ...more } };
}

export function run(command: string, args: string[], env: NodeJS.ProcessEnv, cwd = checkout): Run {
  const child = spawnGuarded(command, args, {
    deathSignal: 'TERM',
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  const exit = new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  return { process: child, output: () => text, exit };
}

export function runStart(ground: Ground): Run {
  return run(process.execPath, ['scripts/start.js'], ground.env);
}

export async function whenReady(started: Run): Promise<void> {
  let ended = false;
  void started.exit.then(() => {
    ended = true;
  });
  await until(() => ended || /^ready /m.test(started.output()), { timeoutMs: 270_000 });
  if (!/^ready /m.test(started.output())) throw new Error(`It did not come up:\n${started.output()}`);
}

export function pidOf(ground: Ground, name: string): number {
  const file = path.join(ground.dataDir, 'run', `${name}.pid`);
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
}

export function pidFiles(ground: Ground): string[] {
  return readdirSync(path.join(ground.dataDir, 'run'))
    .filter((name) => name.endsWith('.pid'))
    .map((name) => name.slice(0, -'.pid'.length))
    .sort();
}

export async function allGone(pids: number[], timeoutMs: number): Promise<boolean> {
  return until(() => pids.every((pid) => !isAlive(pid)), { timeoutMs });
}

/** Whether the child has a new process, and every node is ready. */
export async function healed(ground: Ground, name: string, before: number): Promise<boolean> {
  return until(
    async () => {
      const pid = pidOf(ground, name);
      if (pid === before || !isAlive(pid)) return false;
      const nodes = [ground.port, ground.port + 1].map((port) => answersOk(`http://127.0.0.1:${port}/readyz`));
      return (await Promise.all(nodes)).every(Boolean);
    },
    { timeoutMs: 120_000, everyMs: 50 },
  );
}
