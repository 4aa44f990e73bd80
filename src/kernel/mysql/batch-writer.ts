/**
 * Collects rows that arrive together on this node and writes each batch with one statement. The next batch collects
 * while one is being written, so a lone row waits for no other and a burst shares commits.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CommitUnknown, isDiskFull, isUnreachable } from './outcome';
import { retryDeadlocks } from './retry-deadlocks';
import { countWork, currentWork, type MysqlWork } from './round-trips';

export interface BatchWriter<Row, Answer = void> {
  /** Resolves once the row is stored. */
  write(row: Row): Promise<Answer>;
}

export interface BatchWriterOptions<Row, Answer> {
  /**
   * Writes a batch, and may return an answer for each row. Rows that were not written, or may not have been, can be
   * passed again: writing a row twice must change nothing.
   */
  readonly write: (rows: readonly Row[]) => Promise<readonly Answer[] | void>;
  /** Approximate bytes of a row. */
  readonly weigh: (row: Row) => number;
}

interface Waiting<Row, Answer> {
  readonly row: Row;
  /** A batch counts for each of its rows. */
  readonly work: MysqlWork | undefined;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

const MAX_AT_ONCE = 100;
/** Splitting fewer rows into two statements would cost more than it saves. */
const FEW = 16;
/** Keeps a statement well below the server's packet limit. */
const MAX_BYTES = 1_000_000;

export function openBatchWriter<Row, Answer = void>(
  options: BatchWriterOptions<Row, Answer>,
): BatchWriter<Row, Answer> {
  const { write, weigh } = options;
  const waiting: Waiting<Row, Answer>[] = [];
  let isWriting = false;
  /** The size of the last batch. */
  let last = 0;

  /** Takes half of the active senders' rows, counting senders just answered, so that the other half has work. */
  function nextBatch(): Waiting<Row, Answer>[] {
    const half = Math.ceil((waiting.length + last) / 2);
    const most = Math.min(Math.max(half, FEW), MAX_AT_ONCE);
    let bytes = 0;
    const over = waiting.findIndex(({ row }, index) => {
      bytes += weigh(row);
      return index > 0 && (index >= most || bytes > MAX_BYTES);
    });
    const batch = waiting.splice(0, over === -1 ? waiting.length : over);
    last = batch.length;
    return batch;
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const answer = await writeBatch(nextBatch());
      // The requests that this turn of the event loop still reads join the next batch: fewer statements in a burst.
      await nextTurn();
      // After the next statement has been sent: resolving all senders takes about as long as the database needs for it.
      process.nextTick(answer);
    }
    isWriting = false;
  }

  /** Returns what tells the senders. */
  async function writeBatch(batch: readonly Waiting<Row, Answer>[]): Promise<() => void> {
    try {
      // Two nodes that write the same repeats may deadlock.
      const answers = await countWork(
        batch.flatMap(({ work }) => work ?? []),
        () => retryDeadlocks(() => write(batch.map(({ row }) => row))),
      );
      return () => {
        for (const [index, each] of batch.entries()) each.resolve(answers?.[index] as Answer);
      };
    } catch (error) {
      // A bad row must fail only its own sender; an outage of the database fails them all at once. Rows that may have
      // been written are not written again: their senders check.
      const isOutage = isUnreachable(error) || isDiskFull(error) || error instanceof CommitUnknown;
      const isWorthTrying = batch.length > 1 && !isOutage;
      for (const each of batch) {
        if (isWorthTrying) (await writeBatch([each]))();
        else each.reject(error);
      }
      return () => {};
    }
  }

  return {
    write: (row) =>
      new Promise((resolve, reject) => {
        waiting.push({ row, work: currentWork(), resolve, reject });
        if (isWriting) return;
        isWriting = true;
        // Includes all rows of this turn of the event loop: senders that were answered together often come back
        // together.
        setImmediate(() => void writeAll());
      }),
  };
}
