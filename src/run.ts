/** A process from its start to its end: reads the configuration, opens the work, drains when asked to stop. */
import { ConfigMistakes, loadConfig, type Config } from '../config';
import type { Kernel } from './kernel/kernel';

export async function runProcess(open: (config: Config) => Promise<Kernel>): Promise<void> {
  let kernel: Kernel;
  try {
    kernel = await open(loadConfig(process.env));
  } catch (error) {
    const message =
      error instanceof ConfigMistakes ? error.message : `could not start: ${String(error)}${causeOf(error)}`;
    process.stderr.write(`partyline: ${message}\n`);
    process.exit(1);
  }
  const stop = (signal: string) => {
    kernel.log.info({ signal }, 'draining');
    void kernel.lifecycle.drain().then((clean) => process.exit(clean ? 0 : 1));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // A promise nobody awaited failed: the state is unknown, and another process is better than this one.
  process.on('unhandledRejection', (error) => {
    kernel.log.fatal({ error }, 'unhandled rejection');
    process.exit(1);
  });
}

function causeOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
}
