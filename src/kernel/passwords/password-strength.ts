/** Estimates passwords in a thread: loading its dictionaries takes 40 MB and half a second, some estimates as long. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Fault } from '../fault';
import { ANYBODY, Gate } from '../admission/gate';

export interface StrengthEstimate {
  guesses(password: string, words: readonly string[]): Promise<number>;
  close(): Promise<void>;
}

/** Tests run the TypeScript sources, which no thread can load, so they use the compiled file. */
const PROGRAM = __filename.endsWith('.ts')
  ? join(__dirname, '../../../dist/src/kernel/passwords/password-strength-worker.js')
  : join(__dirname, 'password-strength-worker.js');

const LIMITS = { maxOldGenerationSizeMb: 160 };
/** A busy machine takes long to start the thread. */
const MAX_MS = 60_000;
/** Passwords are set rarely, so an idle thread soon ends. */
const IDLE_MS = 60_000;

const unavailable = (cause: Error): Fault =>
  new Fault('unavailable', 'The strength of the password could not be estimated; try again', { cause });

type Settle = (answer: number | Error) => void;

export function openStrengthEstimate(): StrengthEstimate {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let settle: Settle = () => {};
  const oneAtATime = new Gate({ atOnce: 1, waiting: Infinity });

  function begin(): Worker {
    const begun = new Worker(PROGRAM, { resourceLimits: LIMITS, env: {}, stdout: false });
    const settleOwn: Settle = (answer) => begun === worker && settle(answer);
    begun.on('message', (guesses: number) => settleOwn(guesses));
    begun.on('error', (error) => settleOwn(error instanceof Error ? error : new Error(String(error))));
    begun.on('exit', () => settleOwn(new Error('the thread ended')));
    return begun;
  }

  async function end(): Promise<void> {
    const ended = worker;
    worker = undefined;
    clearTimeout(idle);
    await ended?.terminate();
  }

  async function ask(password: string, words: readonly string[]): Promise<number> {
    clearTimeout(idle);
    const asked = (worker ??= begin());
    // A pending estimate keeps the process alive; an idle thread does not.
    asked.ref();
    let timer: NodeJS.Timeout | undefined;
    const answer = await new Promise<number | Error>((resolve) => {
      settle = resolve;
      timer = setTimeout(() => resolve(new Error(`it took more than ${MAX_MS} ms`)), MAX_MS);
      asked.postMessage({ password, words });
    });
    clearTimeout(timer);
    asked.unref();
    idle = setTimeout(() => void end(), IDLE_MS).unref();
    if (typeof answer === 'number') return answer;
    await end();
    throw unavailable(answer);
  }

  return {
    guesses: (password, words) => oneAtATime.through(ANYBODY, () => ask(password, words)),
    close() {
      oneAtATime.close(unavailable(new Error('the process ends')));
      settle(new Error('the process ends'));
      return end();
    },
  };
}
