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
  const { write, weigh } = options;
  const waiting: Waiting<Row, Answer>[] = [];
  let isWriting = false;

  function nextBatch(): Waiting<Row, Answer>[] {
    let bytes = 0;
    const over = waiting.findIndex(({ row }, index) => {
      bytes += weigh(row);
      return index > 0 && (index >= MOST_AT_ONCE || bytes > MOST_BYTES);
    });
    return waiting.splice(0, over === -1 ? waiting.length : over);
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) await writeBatch(nextBatch());
    isWriting = false;
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
        if (!isWriting) void writeAll();
      }),
  };
}

const LANES = 2;

/**
 * Gathers in lanes: while one lane's rows are being committed the other's are gathered and sent. What needs an order
 * shares a lane, for what is committed later may have the earlier number.
 */
export function openLanes<Row, Answer = void>(
  options: GatheringOptions<Row, Answer>,
  laneOf: (row: Row) => number,
): Gathering<Row, Answer> {
  const lanes = Array.from({ length: LANES }, () => openGathering(options));
  return { write: (row) => lanes[laneOf(row) % LANES]!.write(row) };
}
