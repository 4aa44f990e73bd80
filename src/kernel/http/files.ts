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
  /** Makes room on the disk; before the first file. */
  prepare(): Promise<void>;
  /** Takes a file in as it arrives. */
  take(file: { field: string; name: string; type: string }, stream: Readable): void;
  /** All that came in, once they are on disk. */
  files(): Promise<IncomingFile[]>;
  discard(): Promise<void>;
}

/** The files of one request, of which each may be so large. */
export function openSpool(limitBytes: number): Spool {
  let folder = '';
  const taken: Promise<IncomingFile>[] = [];

  async function store(file: Parameters<Spool['take']>[0], stream: Readable): Promise<IncomingFile> {
    const path = join(folder, String(taken.length));
    const target = createWriteStream(path, { mode: 0o600 });
    await pipeline(stream, target);
    const size = target.bytesWritten;
    return { ...file, size, isCut: size > limitBytes, open: () => createReadStream(path) };
  }

  return {
    async prepare() {
      folder = await mkdtemp(join(tmpdir(), 'partyline-upload-'));
    },
    take(file, stream) {
      const stored = store(file, stream);
      // Whoever asks for the files hears of it; nobody may, when the form itself is refused.
      stored.catch(() => {});
      taken.push(stored);
    },
    files: () => Promise.all(taken),
    async discard() {
      await Promise.allSettled(taken);
      if (folder !== '') await rm(folder, { recursive: true, force: true });
    },
  };
}
