/** One command's life: configuration, a kernel if it needs one, its result as text or JSON, errors as one line. */
import type { Command } from 'commander';
import { ConfigMistakes, loadConfig, type Config } from '../config';
import { Fault } from '../src/kernel/fault';
import { openKernel, type Kernel } from '../src/kernel/kernel';

export interface Result {
  /** What `--json` prints. */
  readonly data: unknown;
  readonly text: string;
  /** Not 0 where the command worked and found something wrong. */
  readonly exitCode?: number;
}

export interface Session {
  readonly config: Config;
  readonly kernel: Kernel;
}

/** Runs a command that talks to Redis and MySQL. */
export function withKernel<Args extends unknown[]>(
  run: (session: Session, ...args: Args) => Promise<Result>,
): (this: Command, ...args: Args) => Promise<void> {
  return withConfig(async (config, ...args: Args) => {
    const kernel = await openKernel({
      ...config,
      logLevel: 'silent',
      drainNoticeMs: 0,
      nodeName: `cli-${process.pid}`,
    });
    try {
      return await run({ config, kernel }, ...args);
    } finally {
      await kernel.lifecycle.drain();
    }
  });
}

/** Runs a command that opens for itself what it needs. */
export function withConfig<Args extends unknown[]>(
  run: (config: Config, ...args: Args) => Promise<Result>,
): (this: Command, ...args: Args) => Promise<void> {
  return async function action(this: Command, ...args: Args) {
    const { json = false } = this.optsWithGlobals<{ json?: boolean }>();
    try {
      const { data, text, exitCode = 0 } = await run(loadConfig(process.env), ...args);
      console.log(json ? JSON.stringify(data) : text);
      process.exitCode = exitCode;
    } catch (error) {
      const message = describe(error);
      if (json) console.log(JSON.stringify({ error: message }));
      else console.error(`partyline: ${message}`);
      process.exitCode = 1;
    }
  };
}

function describe(error: unknown): string {
  if (error instanceof ConfigMistakes || error instanceof Fault) return error.message;
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message || error.name}${cause}`;
}
