/**
 * Gathers rows that come at the same time on this node and writes each batch with one statement. While one is under
 * way the next gathers, so a lone row waits for no other and a burst shares commits.
 */
import { CommitUnknown, isUnreachable } from './outcome';
import { retryDeadlocks } from './retry-deadlocks';

export interface BatchWriter<Row, Answer = void> {
  /** Resolves once the row is safe. */
  write(row: Row): Promise<Answer>;
}

export interface BatchWriterOptions<Row, Answer> {
  /**
   * Writes all of them at once, and may have an answer for each. It may be given rows again that it did not write, or
   * that it cannot tell apart from such: to write those twice must change nothing.
   */
  readonly write: (rows: readonly Row[]) => Promise<readonly Answer[] | void>;
  /** About how many bytes a row takes. */
  readonly weigh: (row: Row) => number;
}

interface Waiting<Row, Answer> {
  readonly row: Row;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

const MOST_AT_ONCE = 100;
/** Two statements for so many would cost more than they save. */
const FEW = 16;
/** A statement stays well below the server's limit on packets. */
const MOST_BYTES = 1_000_000;

export function openBatchWriter<Row, Answer = void>(
  options: BatchWriterOptions<Row, Answer>,
): BatchWriter<Row, Answer> {
  const { write, weigh } = options;
  const waiting: Waiting<Row, Answer>[] = [];
  let isWriting = false;
  /** How many were written last. */
  let last = 0;

  /** Half of those who send, counting those who have just been answered: so the other half is never without work. */
  function nextBatch(): Waiting<Row, Answer>[] {
    const half = Math.ceil((waiting.length + last) / 2);
    const most = Math.min(Math.max(half, FEW), MOST_AT_ONCE);
    let bytes = 0;
    const over = waiting.findIndex(({ row }, index) => {
      bytes += weigh(row);
      return index > 0 && (index >= most || bytes > MOST_BYTES);
    });
    const batch = waiting.splice(0, over === -1 ? waiting.length : over);
    last = batch.length;
    return batch;
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) await writeBatch(nextBatch());
    isWriting = false;
  }

  function answer(batch: readonly Waiting<Row, Answer>[], answers: readonly Answer[] | void): void {
    for (const [index, each] of batch.entries()) each.resolve(answers?.[index] as Answer);
  }

  async function writeBatch(batch: readonly Waiting<Row, Answer>[]): Promise<void> {
    try {
      // Two nodes that write the same repeats may stand in each other's way.
      const answers = await retryDeadlocks(() => write(batch.map(({ row }) => row)));
      // Once the next statement has left: to tell all the senders takes about as long as the database needs for that.
      process.nextTick(answer, batch, answers);
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

  return {
    write: (row) =>
      new Promise((resolve, reject) => {
        waiting.push({ row, resolve, reject });
        if (isWriting) return;
        isWriting = true;
        // With whatever else this turn of the event loop reads: those who were answered together often come together.
        setImmediate(() => void writeAll());
      }),
  };
}

const LANES = 2;

/**
 * Gathers in lanes: while one lane's rows are being committed the other's are gathered and sent. What needs an order
 * shares a lane, for what is committed later may have the earlier number.
 */
export function openLanes<Row, Answer = void>(
  options: BatchWriterOptions<Row, Answer>,
  laneOf: (row: Row) => number,
): BatchWriter<Row, Answer> {
  const lanes = Array.from({ length: LANES }, () => openBatchWriter(options));
  return { write: (row) => lanes[laneOf(row) % LANES]!.write(row) };
}
