/** Where a command is typed: its environment, its input and where its words go. A test gives one of its own. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Read only by commands that ask for a password. */
  readonly input: AsyncIterable<Buffer | string>;
  print(text: string): void;
  complain(text: string): void;
}

/** What a running command has said of its end so far. */
interface Running extends Terminal {
  exitCode: number;
}

const running = new AsyncLocalStorage<Running>();

/** The terminal of the command that runs here; several may run in one process. */
export function terminal(): Running {
  const found = running.getStore();
  if (!found) throw new Error('no command is running');
  return found;
}

/** Runs a command there, and returns the exit code that it left. */
export async function runAt(place: Terminal, command: () => Promise<void>): Promise<number> {
  const here: Running = { ...place, exitCode: 0 };
  await running.run(here, command);
  return here.exitCode;
}
