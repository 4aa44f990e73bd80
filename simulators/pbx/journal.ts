// An append-only file of JSON lines. An entry counts as written once it is synced to disk, and then survives a kill.
import fs from 'node:fs';
import path from 'node:path';

export interface Journal<Entry> {
  /** Resolves with the result of `apply` once the entry is on disk. Entries are applied in order. */
  append<Result>(entry: Entry, apply: () => Result): Promise<Result>;
  close(): Promise<void>;
}

interface Waiting {
  line: string;
  settle: () => void;
  fail: (error: Error) => void;
}

/** Reads every complete line. A torn last line was never acknowledged, so it is dropped. */
export function readJournal<Entry>(file: string): Entry[] {
  if (!fs.existsSync(file)) return [];
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  lines.pop();
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as Entry;
    } catch {
      throw new Error(`${file} is damaged at line ${index + 1}: move it away to start with an empty PBX`);
    }
  });
}

/** Replaces the whole file atomically: a crash leaves either the old or the new one. */
export function rewriteJournal<Entry>(file: string, entries: readonly Entry[]): void {
  const draft = `${file}.new`;
  const fd = fs.openSync(draft, 'w', 0o600);
  fs.writeFileSync(fd, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  fs.fsyncSync(fd);
  fs.closeSync(fd);
  fs.renameSync(draft, file);
  syncFolder(path.dirname(file));
}

export function openJournal<Entry>(file: string): Journal<Entry> {
  const fd = fs.openSync(file, 'a', 0o600);
  let waiting: Waiting[] = [];
  let flushing: Promise<void> | undefined;
  let length = fs.fstatSync(fd).size;
  let isClosed = false;

  // One write and one sync for all entries that arrived during the previous flush.
  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const bytes = Buffer.from(batch.map((entry) => entry.line).join(''));
      try {
        await writeDurably(fd, bytes);
        length += bytes.length;
        for (const entry of batch) entry.settle();
      } catch (error) {
        // A partial line left by a full disk would corrupt the next one.
        fs.ftruncateSync(fd, length);
        for (const entry of batch) entry.fail(error as Error);
      }
    }
    flushing = undefined;
  }

  return {
    append: async (entry, apply) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new Error('the journal is closed');
        const line = `${JSON.stringify(entry)}\n`;
        waiting.push({ line, settle: () => resolve(apply()), fail: reject });
        flushing ??= flush();
      }),
    close: async () => {
      isClosed = true;
      await flushing;
      fs.closeSync(fd);
    },
  };
}

function syncFolder(folder: string): void {
  const fd = fs.openSync(folder, 'r');
  fs.fsyncSync(fd);
  fs.closeSync(fd);
}

async function writeDurably(fd: number, bytes: Buffer): Promise<void> {
  let written = 0;
  while (written < bytes.length) written += await write(fd, bytes.subarray(written));
  await new Promise<void>((resolve, reject) => fs.fdatasync(fd, (error) => (error ? reject(error) : resolve())));
}

async function write(fd: number, bytes: Buffer): Promise<number> {
  return new Promise((resolve, reject) =>
    fs.write(fd, bytes, (error, count) => (error ? reject(error) : resolve(count))),
  );
}
