/** Describes the machine of a run, without which no figure means anything. */
import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
  readonly redis: string;
  readonly mariadb: string;
  readonly date: string;
  /** With `+` if the sources differ from it. */
  readonly commit: string;
  readonly loadBefore: number;
}

export function describeMachine(versions: { readonly redis: string; readonly mariadb: string }): Machine {
  const all = cpus();
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    ...versions,
    date: new Date().toISOString(),
    commit: commit(),
    loadBefore: loadavg()[0] ?? 0,
  };
}

function commit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const head = git('rev-parse', '--short=10', 'HEAD').trim();
    const changes = git('status', '--porcelain', '--', 'src', 'config', 'workers', 'bench', ':!bench/results').trim();
    return changes === '' ? head : `${head}+`;
  } catch {
    return 'unknown';
  }
}
