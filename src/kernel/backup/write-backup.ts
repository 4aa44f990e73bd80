/**
 * Writes all durable data to a directory, as of one moment, while the server runs: a file per table, and a manifest.
 * Uploaded files are in tables too. Rows are streamed, so memory does not grow with the tables.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { withAlone, type AloneConnection } from '../mysql/alone';
import { namesDone, withMigrationLock } from '../mysql/migrate';
import type { Database, MysqlSettings } from '../mysql/pool';
import type { Secrets } from '../secrets/secrets';
import { tableFile, writeManifest, type BackedUpTable, type Manifest, encodeRow } from './files';
import { listed, listTables, quoted, type TableShape } from './table-shape';

export interface BackupParts {
  readonly settings: MysqlSettings;
  /** A pool on the same database, for the lock that excludes migrations. */
  readonly db: Database;
  readonly secrets: Secrets;
  readonly version: string;
  /** Called for each finished table. */
  readonly onTable: (table: string, rows: number) => void;
}

/** After this time the server drops a client that reads nothing: a disk may be slow. */
const PATIENCE_SECONDS = 3600;
const SNAPSHOT =
  `SET SESSION net_write_timeout = ${PATIENCE_SECONDS}; ` +
  'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY';

export const fingerprintOf = (secrets: Secrets, takenAt: string): string => secrets.token('backup', takenAt);

export async function writeBackup(parts: BackupParts, directory: string): Promise<Manifest> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await readdir(directory)).length > 0) throw new Error(`${directory} is not empty`);
  return withMigrationLock(parts.db, () =>
    withAlone(parts.settings, SNAPSHOT, (connection) => writeSnapshot(parts, connection, directory)),
  );
}

async function writeSnapshot(parts: BackupParts, connection: AloneConnection, directory: string): Promise<Manifest> {
  const { secrets, version, onTable } = parts;
  const binlog = await binlogPosition(connection);
  const [server] = (await connection.query('SELECT VERSION() AS version, NOW(3) AS now')) as [ServerRow];
  const takenAt = server.now.toISOString();
  const tables: Record<string, BackedUpTable> = {};
  for (const shape of await listTables(connection)) {
    tables[shape.name] = await writeTable(connection, shape, tableFile(directory, shape.name));
    onTable(shape.name, tables[shape.name]!.rows);
  }
  const manifest: Manifest = {
    format: 1,
    version,
    server: server.version,
    takenAt,
    secretKeyFingerprint: fingerprintOf(secrets, takenAt),
    binlog,
    migrations: await namesDone(parts.db),
    tables,
  };
  await writeManifest(directory, manifest);
  return manifest;
}

interface ServerRow {
  readonly version: string;
  readonly now: Date;
}

/** MariaDB reports the position of a snapshot. MySQL does not, and a position taken a moment later would be wrong. */
async function binlogPosition(connection: AloneConnection): Promise<Manifest['binlog']> {
  const rows = (await connection.query("SHOW STATUS LIKE 'binlog_snapshot_%'")) as StatusRow[];
  const of = (name: string) => rows.find((row) => row.Variable_name.toLowerCase() === name)?.Value ?? '';
  const file = of('binlog_snapshot_file');
  return file === '' ? null : { file, position: Number(of('binlog_snapshot_position')) };
}

interface StatusRow {
  readonly Variable_name: string;
  readonly Value: string;
}

/** Lines are hashed and compressed in pieces of this size. */
const PIECE_CHARACTERS = 64 * 1024;

async function writeTable(connection: AloneConnection, shape: TableShape, path: string): Promise<BackedUpTable> {
  const { name, columns, primaryKey, numbered } = shape;
  const hash = createHash('sha256');
  let [rows, bytes] = [0, 0];

  function take(lines: string): Buffer {
    const piece = Buffer.from(lines);
    hash.update(piece);
    bytes += piece.length;
    return piece;
  }

  async function* pieces(): AsyncGenerator<Buffer, void> {
    // In InnoDB's own order: nothing is sorted, and the same rows always make the same file.
    const order = primaryKey.length === 0 ? '' : ` ORDER BY ${listed(primaryKey)}`;
    let lines = '';
    const all = `SELECT ${listed(columns.map((column) => column.name))} FROM ${quoted(name)}${order}`;
    for await (const row of connection.rows(all)) {
      rows += 1;
      lines += encodeRow(row, columns);
      if (lines.length < PIECE_CHARACTERS) continue;
      yield take(lines);
      lines = '';
    }
    yield take(lines);
  }

  // A backup keeps a snapshot open, which costs the server more than a larger file costs the disk.
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  await pipeline(pieces, gzip, createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true }));
  return { columns: [...columns], rows, bytes, sha256: hash.digest('hex'), nextId: numbered?.nextId ?? null };
}
