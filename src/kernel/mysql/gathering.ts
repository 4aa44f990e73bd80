/**
 * Gathers rows that come at the same time on this node and writes each gathering with one statement. While one is under
 * way the next gathers, so a lone row waits for nothing and a burst shares commits.
 */
import { CommitUnknown, isDeadlock, isUnreachable } from './outcome';

export interface Gathering<Row, Answer = void> {
  /** Resolves once the row is safe. */
  write(row: Row): Promise<Answer>;
}

export interface GatheringOptions<Row, Answer> {
  /**
   * Writes all of them at once, and may have an answer for each. It may be given rows again that it did not write, or
   * that it cannot tell apart from such: to write those twice must change nothing.
   */
  readonly write: (rows: readonly Row[]) => Promise<readonly Answer[] | void>;
  /** About how many bytes a row takes. */
  readonly weigh: (row: Row) => number;
  /** How many gatherings may be under way; more than one where rows need no order. */
  readonly atOnce?: number;
}

interface Waiting<Row, Answer> {
  readonly row: Row;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

const MOST_AT_ONCE = 100;
/** A statement stays well below the server's limit on packets. */
const MOST_BYTES = 1_000_000;
const MOST_ATTEMPTS = 3;

export function openGathering<Row, Answer = void>(options: GatheringOptions<Row, Answer>): Gathering<Row, Answer> {
  const { write, weigh, atOnce = 1 } = options;
  const waiting: Waiting<Row, Answer>[] = [];
  let writing = 0;

  function nextBatch(): Waiting<Row, Answer>[] {
    let bytes = 0;
    const over = waiting.findIndex(({ row }, index) => {
      bytes += weigh(row);
      return index > 0 && (index >= MOST_AT_ONCE || bytes > MOST_BYTES);
    });
    return waiting.splice(0, over === -1 ? waiting.length : over);
  }

  async function writeAll(): Promise<void> {
    writing += 1;
    while (waiting.length > 0) await writeBatch(nextBatch());
    writing -= 1;
  }

  async function writeBatch(batch: readonly Waiting<Row, Answer>[]): Promise<void> {
    try {
      const answers = await writeOnce(batch.map(({ row }) => row));
      for (const [index, each] of batch.entries()) each.resolve(answers?.[index] as Answer);
    } catch (error) {
      // One bad row must fail only its own sender; a database that is away fails them all, at once. What may have been
      // written is not written again: the senders look.
      const isWorthTrying = batch.length > 1 && !isUnreachable(error) && !(error instanceof CommitUnknown);
      for (const each of batch) {
        if (isWorthTrying) await writeBatch([each]);
        else each.reject(error);
      }
    }
  }

  /** Two nodes that write the same repeats may stand in each other's way. */
  async function writeOnce(rows: readonly Row[]): Promise<readonly Answer[] | void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await write(rows);
      } catch (error) {
        if (!isDeadlock(error) || tries === MOST_ATTEMPTS) throw error;
      }
    }
  }

  return {
    write: (row) =>
      new Promise((resolve, reject) => {
        waiting.push({ row, resolve, reject });
        if (writing < atOnce) void writeAll();
      }),
  };
}
