/** Writes a tar archive (POSIX ustar) piece by piece: only the current piece is in memory. */

export interface TarEntry {
  /** An ASCII path. */
  readonly name: string;
  readonly size: number;
  readonly content: Iterable<Buffer> | AsyncIterable<Buffer>;
}

const BLOCK = 512;
const MAX_NAME_LENGTH = 100;

/** A value as octal digits that fill a field up to its closing NUL. */
const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;

function headerOf({ name, size }: TarEntry, seconds: number): Buffer {
  // oxlint-disable-next-line no-control-regex -- everything that is not visible ASCII
  if (name.length > MAX_NAME_LENGTH || /[^\x21-\x7e]/.test(name)) throw new Error(`${name} is no name for a tar entry`);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 'latin1');
  header.write(octal(0o644, 8), 100, 'latin1');
  header.write(octal(0, 8), 108, 'latin1');
  header.write(octal(0, 8), 116, 'latin1');
  header.write(octal(size, 12), 124, 'latin1');
  header.write(octal(seconds, 12), 136, 'latin1');
  header.write('0', 156, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  // The checksum is the sum of all bytes, its own bytes counted as spaces.
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

export async function* tarBytes(entries: AsyncIterable<TarEntry>, modified: Date): AsyncGenerator<Buffer> {
  const seconds = Math.floor(modified.getTime() / 1000);
  for await (const entry of entries) {
    yield headerOf(entry, seconds);
    let written = 0;
    for await (const piece of entry.content) {
      written += piece.length;
      yield piece;
    }
    if (written !== entry.size) throw new Error(`${entry.name} has ${written} bytes, not ${entry.size}`);
    const rest = written % BLOCK;
    if (rest > 0) yield Buffer.alloc(BLOCK - rest);
  }
  yield Buffer.alloc(2 * BLOCK);
}
