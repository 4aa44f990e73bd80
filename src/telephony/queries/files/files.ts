/** A company's files, faxes and fax destinations; the content of a file, by key or by a signed URL. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { ReadFrom } from '../../../kernel/mysql/read-from';
import { isSameOfItsLength } from '../../../kernel/secrets/signatures';
import type { Caller } from '../../model/contacts/contact';
import { addressNotValid, noContent, noFile, noDestination, noFax, existing } from '../../model/faults';
import { destinationObject, faxObject } from '../../model/files/fax';
import {
  isFilled,
  signatureOf,
  signedPath,
  type FileFacts,
  type Preview,
  type SignedUse,
} from '../../model/files/file';
import type { Listed, Listing, Page } from '../../model/paging';
import * as destinations from '../../store/files/fax-destinations';
import * as faxes from '../../store/files/faxes';
import * as files from '../../store/files/files';

export async function listFiles(db: Database, by: Caller, page: Page): Promise<Listed<object>> {
  const { total, items } = await files.list(db, by.companyId, page);
  return { total, items: await files.present(db, items) };
}

const fileOf = async (db: Database, by: Caller, id: string): Promise<FileFacts> =>
  existing(await files.byId(db, by.companyId, id), noFile);

export async function getFile(db: Database, by: Caller, id: string): Promise<object> {
  return (await files.present(db, [await fileOf(db, by, id)]))[0]!;
}

export async function getPreview(db: Database, by: Caller, id: string): Promise<Preview> {
  const file = await fileOf(db, by, id);
  ensure(isFilled(file), noContent());
  return (await files.present(db, [file]))[0]!.preview;
}

export interface OpenedFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** The URL at which a carrier keeps the file; then there is no content here. */
  readonly elsewhere: string | null;
  readonly chunks: AsyncIterable<Buffer>;
}

function open(db: Database, file: FileFacts): OpenedFile {
  ensure(isFilled(file), noContent());
  async function* read(): AsyncGenerator<Buffer> {
    for (let place = 0; ; place += 1) {
      const chunk = await files.chunk(db, file.id, place);
      if (!chunk) return;
      yield chunk;
    }
  }
  const { name, mimetype: type, size, sourceUrl: elsewhere } = file;
  return { name, type, size, elsewhere, chunks: read() };
}

export const openFile = async (db: Database, by: Caller, id: string): Promise<OpenedFile> =>
  open(db, await fileOf(db, by, id));

export async function signAddress(
  kernel: Storage,
  by: Caller,
  id: string,
  { publicUrl, lastsMs }: { publicUrl: string; lastsMs: number },
): Promise<{ url: string; expires_at: string }> {
  const file = await fileOf(kernel.mysql, by, id);
  ensure(isFilled(file), noContent());
  const until = new Date(Math.floor((kernel.clock.now().getTime() + lastsMs) / 1000) * 1000);
  const url = `${publicUrl.replace(/\/+$/, '')}${signedPath(kernel.secrets, file, until)}`;
  return { url, expires_at: until.toISOString() };
}

/** Opens a file by its signed URL until that expires. */
export async function openSigned(kernel: Storage, use: SignedUse, signature: string): Promise<OpenedFile> {
  const isOurs = isSameOfItsLength(signature, signatureOf(kernel.secrets, use));
  ensure(isOurs && use.expires * 1000 > kernel.clock.now().getTime(), addressNotValid());
  const file = existing(await files.anywhere(kernel.mysql, use.fileId), addressNotValid);
  return open(kernel.mysql, file);
}

export async function listFaxes(
  readFrom: ReadFrom,
  by: Caller,
  query: Listing<faxes.FaxFilter>,
): Promise<Listed<object>> {
  const { total, items } = await readFrom((db) => faxes.list(db, by.companyId, query));
  return { total, items: items.map(faxObject) };
}

export async function getFax(db: Database, by: Caller, id: string): Promise<object> {
  return faxObject(existing(await faxes.byId(db, by.companyId, id), noFax));
}

export async function listDestinations(db: Database, by: Caller, page: Page): Promise<Listed<object>> {
  const { total, items } = await destinations.list(db, by.companyId, page);
  return { total, items: items.map(destinationObject) };
}

export async function getDestination(db: Database, by: Caller, id: string): Promise<object> {
  return destinationObject(existing(await destinations.byId(db, by.companyId, id), noDestination));
}
