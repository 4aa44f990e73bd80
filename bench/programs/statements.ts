/** Measures the summed duration of a piece of work's statements, as the process sees it. */
import { tracingChannel } from 'node:diagnostics_channel';
import type { Kernel } from '../../src/kernel/kernel';
import type { Measurement } from '../harness/benchmark';
import { latency, median } from '../harness/statistics';

export interface Besides {
  /** Runs before each turn; not measured. */
  prepare?(): Promise<unknown>;
  /**
   * Runs once per turn and is measured separately. A statement repeated without pause finds every cache warm; after
   * other work it takes twice as long. So both are compared in the same loop.
   */
  yardstick(): Promise<unknown>;
}

export interface StatementTimes {
  /** Repeats the work and returns the median of the sums. */
  measure(milliseconds: number, work: () => Promise<unknown>, besides: Besides): Promise<Measurement>;
}

export function watchStatements(kernel: Kernel): StatementTimes {
  let sum = 0;
  let count = 0;
  const began = new WeakMap<object, number>();
  const answered = (statement: object) => {
    sum += performance.now() - began.get(statement)!;
    count += 1;
  };
  // The driver's own diagnostics channel: it reports every statement, including BEGIN and COMMIT.
  tracingChannel('mysql2:query').subscribe({
    start: (statement) => void began.set(statement, performance.now()),
    asyncEnd: answered,
    end() {},
    asyncStart() {},
    error() {},
  });

  async function handlerReads(): Promise<number> {
    const [rows] = (await kernel.mysql.raw("SHOW GLOBAL STATUS LIKE 'Handler_read%'")) as [{ Value: string }[]];
    return rows.reduce((total, { Value }) => total + Number(Value), 0);
  }

  return {
    async measure(milliseconds, work, besides) {
      const sums: number[] = [];
      const took: number[] = [];
      const yardsticks: number[] = [];
      const end = performance.now() + milliseconds;
      let statements = 0;
      const readsBefore = await handlerReads();
      for (let turn = 0; performance.now() < end || turn < 3; turn += 1) {
        await besides.prepare?.();
        yardsticks.push(await timed(() => besides.yardstick()));
        [sum, count] = [0, 0];
        took.push(await timed(work));
        sums.push(sum);
        statements += count;
        // Pending outbox rows must not disturb the next turn.
        await kernel.outbox.settle();
      }
      const reads = (await handlerReads()) - readsBefore;
      return {
        units: took.length,
        figures: {
          p50: median(sums),
          call: latency(took).p50,
          yardsticks: median(sums) / median(yardsticks),
          callYardsticks: latency(took).p50 / median(yardsticks),
          statements: statements / took.length,
          rows: reads / took.length,
        },
      };
    },
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
