/** Files of a multipart form: spooled to disk while they arrive, so that memory stays small, and gone with the answer. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface IncomingFile {
  /** The form field it came in. */
  readonly field: string;
  /** As the client calls it: never a path to be trusted. */
  readonly name: string;
  /** As the client says: never to be believed. */
  readonly type: string;
  readonly size: number;
  /** It was larger than the route allows, and its end is missing. */
  readonly isCut: boolean;
  open(): Readable;
}

export interface Spool {
  /** Takes a file in as it arrives; the stream is at most as long as the route allows. */
  take(file: { field: string; name: string; type: string }, stream: Readable & { truncated?: boolean }): void;
  /** All that came in, once they are on disk. */
  files(): Promise<IncomingFile[]>;
  discard(): Promise<void>;
}

/** The files of one request. Nothing touches the disk before the first of them. */
export function openSpool(): Spool {
  let folder: Promise<string> | undefined;
  const taken: Promise<IncomingFile>[] = [];

  async function store(file: Parameters<Spool['take']>[0], stream: Parameters<Spool['take']>[1], place: number) {
    const path = join(await (folder ??= mkdtemp(join(tmpdir(), 'partyline-upload-'))), String(place));
    const target = createWriteStream(path, { mode: 0o600 });
    await pipeline(stream, target);
    const open = () => createReadStream(path);
    return { ...file, size: target.bytesWritten, isCut: stream.truncated === true, open };
  }

  return {
    take(file, stream) {
      const stored = store(file, stream, taken.length);
      // Whoever asks for the files hears of it; nobody may, when the form itself is refused.
      stored.catch(() => {});
      taken.push(stored);
    },
    files: () => Promise.all(taken),
    async discard() {
      await Promise.allSettled(taken);
      if (folder) await rm(await folder, { recursive: true, force: true });
    },
  };
}
