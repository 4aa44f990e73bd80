/** The terminal of a command: environment, input and output. A test supplies its own. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Read only by commands that need a password or credentials. */
  readonly input: AsyncIterable<Buffer | string>;
  print(text: string): void;
  complain(text: string): void;
}

/** A running command with its exit code so far. */
interface Running extends Terminal {
  exitCode: number;
}

const running = new AsyncLocalStorage<Running>();

/** The terminal of the current command; several may run in one process. */
export function terminal(): Running {
  const found = running.getStore();
  if (!found) throw new Error('no command is running');
  return found;
}

/** Runs a command on that terminal, and returns its exit code. */
export async function runAt(place: Terminal, command: () => Promise<void>): Promise<number> {
  const here: Running = { ...place, exitCode: 0 };
  await running.run(here, command);
  return here.exitCode;
}
