/**
 * Gathers rows that come at the same time on this node and writes each gathering with one statement. While one is under
 * way the next gathers, so a lone row waits for nothing and a burst shares commits.
 */
import { isDeadlock, isUnreachable } from './outcome';

export interface Gathering<Row> {
  /** Resolves once the row is safe. */
  write(row: Row): Promise<void>;
}

export interface GatheringOptions<Row> {
  /** Writes all of them with one statement. What was written before may come again: that must change nothing. */
  readonly write: (rows: readonly Row[]) => Promise<void>;
  /** About how many bytes a row takes. */
  readonly weigh: (row: Row) => number;
}

interface Waiting<Row> {
  readonly row: Row;
  resolve(): void;
  reject(error: unknown): void;
}

const MOST_AT_ONCE = 100;
/** A statement stays well below the server's limit on packets. */
const MOST_BYTES = 1_000_000;
const MOST_ATTEMPTS = 3;

export function openGathering<Row>({ write, weigh }: GatheringOptions<Row>): Gathering<Row> {
  const waiting: Waiting<Row>[] = [];
  let isWriting = false;

  function nextBatch(): Waiting<Row>[] {
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

  async function writeBatch(batch: readonly Waiting<Row>[]): Promise<void> {
    try {
      await writeOnce(batch.map(({ row }) => row));
      for (const each of batch) each.resolve();
    } catch (error) {
      // One bad row must fail only its own sender; a database that is away fails them all, at once.
      const isWorthTrying = batch.length > 1 && !isUnreachable(error);
      for (const each of batch) {
        if (isWorthTrying) await writeBatch([each]);
        else each.reject(error);
      }
    }
  }

  /** Two nodes that write the same repeats may stand in each other's way. */
  async function writeOnce(rows: readonly Row[]): Promise<void> {
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
