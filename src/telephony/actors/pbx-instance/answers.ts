/** Everyone in this process who waits for an operation: told over Redis, and looking at the rows in case that is lost. */
import type { Kernel } from '../../../kernel/kernel';
import { OPERATIONS_CHANNEL, type Answered, type OperationId } from '../../model/operation';
import { answeredAmong } from '../../store/operations';

export interface Answers {
  /** The operation once it is over; undefined at the deadline, or when waiting was called off. */
  wait(id: OperationId, deadlineMs: number, calledOff?: AbortSignal): Promise<Answered | undefined>;
  readonly waiting: number;
}

export function openAnswers(kernel: Kernel): Answers {
  const waiting = new Map<string, Set<(operation: Answered) => void>>();
  let listening: Promise<unknown> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function look(ids: readonly string[]): Promise<void> {
    try {
      for (const operation of await answeredAmong(kernel.mysql, ids)) {
        for (const settle of waiting.get(operation.id) ?? []) settle(operation);
      }
    } catch (error) {
      kernel.log.debug({ error }, 'could not look for answers; trying again');
    }
  }

  function poll(): void {
    timer ??= setTimeout(() => {
      void look([...waiting.keys()]).then(() => {
        timer = undefined;
        if (waiting.size > 0) poll();
      });
    }, kernel.settings.askPollMs);
  }

  function listen(): void {
    listening ??= kernel.channel
      .listen(OPERATIONS_CHANNEL, {
        receive: (message) => {
          const told = JSON.parse(message) as Pick<Answered, 'id'> & Partial<Answered>;
          if (!waiting.has(told.id)) return;
          if (told.state === undefined) void look([told.id]);
          else for (const settle of waiting.get(told.id) ?? []) settle(told as Answered);
        },
        resumed: () => void look([...waiting.keys()]),
      })
      .catch(() => (listening = undefined));
  }

  // Requests and bulk orders wait until their stages are over.
  kernel.lifecycle.on('outbox', 'pbx answers', () => clearTimeout(timer));

  return {
    wait(id, deadlineMs, calledOff) {
      listen();
      return new Promise((resolve) => {
        const settle = (operation?: Answered) => {
          clearTimeout(deadline);
          const others = waiting.get(id);
          others?.delete(settle);
          if (others?.size === 0) waiting.delete(id);
          resolve(operation);
        };
        const deadline = setTimeout(() => settle(), Math.max(0, deadlineMs));
        calledOff?.addEventListener('abort', () => settle(), { once: true });
        waiting.set(id, (waiting.get(id) ?? new Set()).add(settle));
        poll();
      });
    },
    get waiting() {
      return waiting.size;
    },
  };
}
