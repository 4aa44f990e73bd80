/** Reads the tables of a backup line by line, and verifies them against the manifest. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { tableFile, type Manifest } from './manifest';

const LINE_END = 0x0a;

async function* piecesOf(path: string): AsyncGenerator<Buffer, void> {
  const gunzip = createGunzip();
  const file = createReadStream(path);
  file.on('error', (error) => gunzip.destroy(error));
  for await (const piece of file.pipe(gunzip)) yield piece as Buffer;
}

/** Only a line feed ends a line: texts hold other characters that some readers treat as line ends. */
export async function* linesOf(directory: string, table: string): AsyncGenerator<string, void> {
  let begun: Buffer[] = [];
  for await (const piece of piecesOf(tableFile(directory, table))) {
    let start = 0;
    for (let end = piece.indexOf(LINE_END); end !== -1; end = piece.indexOf(LINE_END, start)) {
      yield Buffer.concat([...begun, piece.subarray(start, end)]).toString('utf8');
      begun = [];
      start = end + 1;
    }
    if (start < piece.length) begun.push(piece.subarray(start));
  }
}

/** Reads everything before anything is changed: a damaged backup is refused as a whole. */
export async function verifyBackup(directory: string, { tables }: Manifest): Promise<void> {
  for (const [table, { sha256 }] of Object.entries(tables)) {
    const hash = createHash('sha256');
    try {
      for await (const piece of piecesOf(tableFile(directory, table))) hash.update(piece);
    } catch (error) {
      throw new Error(`the backup of ${table} cannot be read`, { cause: error });
    }
    if (hash.digest('hex') !== sha256) throw new Error(`the backup of ${table} is damaged: its checksum is wrong`);
  }
}
