/** The manifest of a backup. It is written last: a directory without it is no backup. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

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
