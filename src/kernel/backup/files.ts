/** The files of a backup: its tables, line by line, and the manifest, which is written last. A directory without it is no backup. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import type { RawRow } from '../mysql/alone';
import { literal } from '../mysql/literal';
import type { Column } from './table-shape';

/** Names become parts of paths and statements. */
const tableName = z.string().regex(/^(kernel|chat|tel|ops)_[a-z0-9_]{1,58}$/);
const columnName = z.string().regex(/^[a-z0-9_]{1,64}$/);
const count = z.number().int().min(0);

const backedUpTable = z.object({
  columns: z.array(z.object({ name: columnName, isBinary: z.boolean() })),
  rows: count,
  /** The size of the rows before compression. */
  bytes: count,
  sha256: z.string(),
  /** The next AUTO_INCREMENT value, if the table has one. */
  nextId: count.nullable(),
});

/** The list of finished migrations is a table like the others. */
export const MIGRATIONS_TABLE = 'kernel_migrations';

const manifestSchema = z.object({
  format: z.literal(1),
  /** The release that wrote it. */
  version: z.string(),
  server: z.string(),
  /** The moment that all tables show, by MySQL's clock. */
  takenAt: z.iso.datetime(),
  /** Identifies the SECRET_KEY that credentials were stored with, without revealing it. */
  secretKeyFingerprint: z.string(),
  /** The position in the binary log; null if the log is off, or the server cannot tell. */
  binlog: z.object({ file: z.string(), position: count }).nullable(),
  migrations: z.array(z.string()),
  tables: z.record(tableName, backedUpTable).refine((tables) => MIGRATIONS_TABLE in tables),
});

export type BackedUpTable = z.infer<typeof backedUpTable>;
export type Manifest = z.infer<typeof manifestSchema>;

const FILE = 'manifest.json';

export const tableFile = (directory: string, table: string): string => join(directory, `${table}.jsonl.gz`);

export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const draft = join(directory, `${FILE}.draft`);
  await writeFile(draft, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(draft, join(directory, FILE));
}

export async function readManifest(directory: string): Promise<Manifest> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(join(directory, FILE), 'utf8')));
  } catch (error) {
    const cause = error instanceof z.ZodError ? new Error(z.prettifyError(error)) : error;
    throw new Error(`${directory} holds no backup that this release can read: ${FILE} is missing or wrong`, { cause });
  }
}

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

/** The row format of a backup: one JSON array of texts per line, with binary columns in base64. */
export function encodeRow(row: RawRow, columns: readonly Column[]): string {
  const values = row.map((value, index) => value?.toString(columns[index]!.isBinary ? 'base64' : 'utf8') ?? null);
  return `${JSON.stringify(values)}\n`;
}

/** The row for VALUES. MySQL converts texts to numbers and times by itself. */
export function valuesOf(line: string, columns: readonly Column[]): string {
  const values = JSON.parse(line) as (string | null)[];
  const isRow =
    values.length === columns.length && values.every((value) => value === null || typeof value === 'string');
  if (!isRow) throw new Error('a row of the backup is not made of texts, one for each column');
  const written = values.map((value, index) =>
    value !== null && columns[index]!.isBinary ? hexOf(value) : literal(value),
  );
  return `(${written.join(',')})`;
}

const hexOf = (base64: string): string => `x'${Buffer.from(base64, 'base64').toString('hex')}'`;
