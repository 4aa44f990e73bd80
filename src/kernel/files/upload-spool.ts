/** Spools the file of a multipart form to disk while it arrives, to save memory. It is deleted after the response. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Counts } from '../admission/counts';
import { comeLater } from '../admission/gate';
import type { HttpSettings } from '../settings';

export interface IncomingFile {
  /** The name of its form field. */
  readonly field: string;
  /** The client's name for it: never trusted as a path. */
  readonly name: string;
  /** The client's claim: never trusted. */
  readonly type: string;
  readonly size: number;
  /** The file exceeded the route's limit, and nothing of it was kept. */
  readonly isCut: boolean;
  open(): Readable;
}

type Named = Pick<IncomingFile, 'field' | 'name' | 'type'>;

export interface Spool {
  /** Creates the folder on disk; call before the first file. */
  prepare(): Promise<void>;
  /** Takes a file in as it arrives; fails if there is no room. Of several files only the first is kept. */
  take(file: Named, stream: Readable): Promise<void>;
  /** All files, once they are on disk. */
  files(): Promise<IncomingFile[]>;
  discard(): Promise<void>;
}

/** The disk space that all current uploads of a node share. */
export interface SpoolRoom {
  open(limitBytes: number, callerOf: () => string): Spool;
}

/** The share of the space that one caller may take. A single upload may always exceed it. */
const CALLER_SHARE = 1 / 4;

const noRoom = () => comeLater('Too many files are being uploaded; try again');

export function openSpoolRoom({
  spoolDir,
  spoolLimitBytes,
}: Pick<HttpSettings, 'spoolDir' | 'spoolLimitBytes'>): SpoolRoom {
  const root = spoolDir || tmpdir();
  /** Bytes by caller. */
  const held = new Counts();
  void removeAbandoned(root);

  /** Returns whether there was room. A negative number gives space back. */
  function reserve(caller: string, bytes: number, own: number): boolean {
    const mine = held.of(caller) + bytes;
    const isCrowd = mine > own + bytes && mine > spoolLimitBytes * CALLER_SHARE;
    if (bytes > 0 && (isCrowd || held.total + bytes > spoolLimitBytes)) return false;
    held.add(caller, bytes);
    return true;
  }

  return {
    open(limitBytes, callerOf) {
      const taken: Promise<IncomingFile>[] = [];
      let [folder, spooled] = ['', 0];

      function giveBack(): void {
        reserve(callerOf(), -spooled, 0);
        spooled = 0;
      }

      async function store(file: Named, stream: Readable): Promise<IncomingFile> {
        const path = join(folder, 'file');
        let size = 0;
        async function* counted(source: AsyncIterable<Buffer>) {
          for await (const chunk of source) {
            size += chunk.length;
            if (size > limitBytes) {
              // The rest of the form may take long to arrive: nothing is kept meanwhile.
              await truncate(path);
              giveBack();
              continue;
            }
            if (!reserve(callerOf(), chunk.length, spooled)) throw noRoom();
            spooled += chunk.length;
            yield chunk;
          }
        }
        // Append mode: a late write goes to the end of the truncated file.
        await pipeline(stream, counted, createWriteStream(path, { mode: 0o600, flags: 'a' })).catch(
          (error: unknown) => {
            throw (error as { code?: unknown }).code === 'ENOSPC' ? noRoom() : error;
          },
        );
        return { ...file, size, isCut: size > limitBytes, open: () => createReadStream(path) };
      }

      /** Kept only to be counted: no route takes two files. */
      function drop(file: Named, stream: Readable): Promise<IncomingFile> {
        stream.resume();
        return Promise.resolve({ ...file, size: 0, isCut: false, open: () => Readable.from([]) });
      }

      return {
        async prepare() {
          if (spoolDir !== '') await mkdir(spoolDir, { recursive: true, mode: 0o700 });
          folder = await mkdtemp(join(root, PREFIX));
        },
        async take(file, stream) {
          const stored = taken.length === 0 ? store(file, stream) : drop(file, stream);
          taken.push(stored);
          await stored;
        },
        files: () => Promise.all(taken),
        async discard() {
          await Promise.allSettled(taken);
          if (folder !== '') await rm(folder, { recursive: true, force: true });
          giveBack();
        },
      };
    },
  };
}

const PREFIX = 'partyline-upload-';
/** No upload takes this long, on this node or on another that shares the folder. */
const ABANDONED_MS = 3_600_000;

/** A killed process could not discard its uploads. */
async function removeAbandoned(root: string): Promise<void> {
  const names = await readdir(root).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const path = join(root, name);
    const changed = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - changed > ABANDONED_MS) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}
