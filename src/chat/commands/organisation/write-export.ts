/** Writes an organisation's export archive in chunks. A worker that takes an export over starts from the beginning. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Kernel, Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import { inChunks } from '../../../kernel/files/stored-file';
import { tarBytes, type TarEntry } from '../../../kernel/files/tar';
import {
  finishedText,
  MAX_CHUNKS,
  wireExport,
  type ExportOrder,
  type RealmExport,
} from '../../model/organisation/export';
import type { Realm } from '../../model/organisation/realm';
import type { Chat, Sending } from '../../parts';
import { directoryEntries } from '../../queries/organisation/export-directory';
import { fileEntries, messageEntries, type Exported, type Report } from '../../queries/organisation/export-messages';
import * as messages from '../../store/messages/messages';
import * as exportRows from '../../store/organisation/exports';
import * as realms from '../../store/organisation/realms';
import { changingExports, notifyOfExport, trimExports } from './exports';

type Parts = Sending & Pick<Kernel, 'readFrom'>;

/** The export was deleted, or another worker has started it again. */
class Overtaken extends Error {
  constructor() {
    super('an export is no longer this worker’s to write');
    this.name = 'Overtaken';
  }
}

export async function writeExport(chat: Parts, order: ExportOrder, signal: AbortSignal): Promise<void> {
  const { mysql, readFrom } = chat;
  const own = await begin(chat, order);
  const realm = await realms.byId(mysql, order.realmId);
  if (!own || !realm) return;
  // An earlier worker stopped after the last chunk, before it notified anyone.
  if (own.state === 'done') return conclude(chat, own);
  try {
    const report = reporter(chat, own, signal);
    const archive = await readFrom(async (db) => {
      // Chunks of earlier attempts, or of this one if the replica was lost midway.
      await exportRows.removeChunks(mysql, own.id);
      return store(chat.mysql, own, entriesOf(db, realm, report), report);
    });
    await finish(chat, own, archive);
  } catch (error) {
    if (error instanceof Overtaken) return;
    throw error;
  }
  await conclude(chat, own);
}

/** Claims the export for this worker, unless it is done. Undefined if there is nothing left to do. */
async function begin(kernel: Storage, { realmId, exportId }: ExportOrder): Promise<RealmExport | undefined> {
  return kernel.transaction(async ({ db }) => {
    const found = await exportRows.lock(db, realmId, exportId);
    if (found?.state === 'done') return found;
    if (found?.state !== 'pending') return undefined;
    const own = { ...found, attempt: found.attempt + 1 };
    await exportRows.update(db, exportId, { attempt: own.attempt, progress: 0 }, kernel.clock.now());
    return own;
  });
}

async function* entriesOf(db: Database, realm: Realm, report: Report): AsyncGenerator<TarEntry> {
  const of: Exported = { realmId: realm.id, lastId: await messages.last(db, realm.id) };
  yield* directoryEntries(db, realm);
  yield* messageEntries(db, of, report);
  yield* fileEntries(db, of, report);
}

/** Interval of progress reports, and so of checks whether another worker took over. */
const REPORT_MS = 1000;
const ALMOST_DONE = 99;

function reporter(kernel: Storage, own: RealmExport, signal: AbortSignal): Report {
  let reportedAt = 0;
  return async (progress) => {
    if (signal.aborted) throw new Error('the worker is about to end, or has taken too long');
    if (Date.now() - reportedAt < REPORT_MS) return;
    reportedAt = Date.now();
    if (!(await exportRows.advance(kernel.mysql, own, progress, kernel.clock.now()))) throw new Overtaken();
  };
}

interface Archive {
  readonly size: number;
  readonly sha256: string;
}

async function store(
  db: Database,
  own: RealmExport,
  entries: AsyncIterable<TarEntry>,
  report: Report,
): Promise<Archive> {
  const gzip = createGzip();
  const writing = pipeline(Readable.from(tarBytes(entries, own.createdAt)), gzip);
  // The loop below fails too, and reports why.
  writing.catch(() => {});
  const hash = createHash('sha256');
  let [size, place] = [0, 0];
  for await (const chunk of inChunks(gzip)) {
    if (place === MAX_CHUNKS) throw new Error('the archive of an organisation is too large');
    hash.update(chunk);
    size += chunk.length;
    if (!(await exportRows.insertChunk(db, own, place, chunk))) throw new Overtaken();
    place += 1;
  }
  await writing;
  await report(ALMOST_DONE);
  return { size, sha256: hash.digest('hex') };
}

async function finish(chat: Storage & Pick<Chat, 'realms'>, own: RealmExport, archive: Archive): Promise<void> {
  const now = chat.clock.now();
  await changingExports(chat, own.realmId, async (tx) => {
    const found = await exportRows.lock(tx.db, own.realmId, own.id);
    if (found?.state !== 'pending' || found.attempt !== own.attempt) throw new Overtaken();
    await exportRows.update(tx.db, own.id, { state: 'done', progress: 100, ended_at: now, ...archive }, now);
  });
}

/** Idempotent: the requester is notified only once. */
async function conclude(chat: Sending, own: RealmExport): Promise<void> {
  await trimExports(chat, own.realmId);
  const { export_url: url } = wireExport({ ...own, state: 'done' }, await chat.realms.publicUrl(own.realmId));
  await notifyOfExport(chat, own, finishedText(url!));
}
