/** Runs a process: reads the configuration, opens the node or worker, and drains it on SIGTERM or SIGINT. */
import { ConfigMistakes, loadConfig, type Config } from '../config';
import { keepRequestsYoung } from './engine';
import type { Kernel } from './kernel/kernel';

export async function runProcess(open: (config: Config) => Promise<Kernel>): Promise<void> {
  keepRequestsYoung();
  let asked: string | undefined;
  let kernel: Kernel | undefined;
  // Registered before anything opens, so that a signal during startup also leads to an orderly drain.
  const stop = (signal: string) => {
    asked = signal;
    if (kernel) void drain(kernel, signal);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.on('uncaughtException', (error) => {
    if (isTlsError(error)) return kernel?.log.debug({ error }, 'an abandoned TLS connection failed again');
    if (kernel) kernel.log.fatal({ error }, 'uncaught exception');
    else process.stderr.write(`partyline: ${error.stack}\n`);
    process.exit(1);
  });
  try {
    kernel = await open(loadConfig(process.env));
  } catch (error) {
    const message =
      error instanceof ConfigMistakes ? error.message : `could not start: ${String(error)}${causeOf(error)}`;
    process.stderr.write(`partyline: ${message}\n`);
    process.exit(1);
  }
  const { log } = kernel;
  // An unhandled rejection leaves the state unknown, so a fresh process is safer than this one.
  process.on('unhandledRejection', (error) => {
    log.fatal({ error }, 'unhandled rejection');
    process.exit(1);
  });
  if (asked !== undefined) await drain(kernel, asked);
}

/**
 * A TLS socket may emit a second error, for an alert that arrives while the socket is being closed for the first one.
 * ioredis listens only for the first on the connections that it opens itself: to Sentinels and to nodes of a cluster.
 */
const isTlsError = (error: Error & { readonly library?: string }): boolean => error.library === 'SSL routines';

async function drain({ log, lifecycle }: Pick<Kernel, 'lifecycle' | 'log'>, signal: string): Promise<void> {
  log.info({ signal }, 'draining');
  process.exit((await lifecycle.drain()) ? 0 : 1);
}

function causeOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
}
