/** One thread, which renders one message at a time and is terminated if it takes too long. */
import { Worker } from 'node:worker_threads';
import { restoreFault } from '../../kernel/fault';
import type { Rendered } from '../model/markdown/context';
import { unableToRender } from '../model/markdown/unable-to-render';
import type { Answer, Question } from './conversation';

/** A message that needs more memory is pathological. This bounds the damage. */
const LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };

export interface Thread {
  /** Terminates the thread if the answer takes longer than the limit. */
  render(question: Question, limitMs: number): Promise<Rendered>;
  /** Whether it accepts another question. */
  isAlive(): boolean;
  end(): Promise<void>;
}

export function startThread(program: string): Thread {
  const worker = new Worker(program, { resourceLimits: LIMITS, env: {}, stdout: true, stderr: true });
  // Discards what libraries print, because it would put message content into the log.
  worker.stdout.resume();
  worker.stderr.resume();
  worker.unref();
  let isAlive = true;
  let settle: ((answer: Answer | Error) => void) | undefined;
  const isReady = new Promise<void>((resolve) => {
    worker.once('message', () => resolve());
    worker.once('exit', () => resolve());
  });
  const lose = (error: Error) => {
    isAlive = false;
    settle?.(error);
  };
  worker.on('message', (answer: Answer | 'ready') => answer !== 'ready' && settle?.(answer));
  worker.on('error', (error) => lose(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => lose(new Error('The rendering thread ended')));

  async function render(question: Question, limitMs: number): Promise<Rendered> {
    // A pending answer keeps the process alive; an idle thread does not.
    worker.ref();
    await isReady;
    let timer: NodeJS.Timeout | undefined;
    const answer = await new Promise<Answer | Error>((resolve) => {
      settle = resolve;
      timer = setTimeout(() => lose(new Error(`Rendering took more than ${limitMs} ms`)), limitMs);
      if (isAlive) worker.postMessage(question);
      else resolve(new Error('The rendering thread has ended'));
    });
    clearTimeout(timer);
    settle = undefined;
    worker.unref();
    if (answer instanceof Error) {
      await worker.terminate();
      throw unableToRender(answer);
    }
    if ('fault' in answer) throw restoreFault(answer.fault);
    return answer.rendered;
  }

  return { render, isAlive: () => isAlive, end: async () => void (await worker.terminate()) };
}
