/** Archive entries for the messages of public streams and the files they link to, read page by page. */
import type { Database } from '../../../kernel/mysql/pool';
import type { TarEntry } from '../../../kernel/files/tar';
import type { Message } from '../../model/messages/message';
import { wireSubmessage } from '../../model/messages/submessage';
import type { RealmId } from '../../model/organisation/realm';
import { uploadPathId } from '../../model/uploads/file';
import { wireTime } from '../../model/users/user-wire';
import * as reactions from '../../store/messages/reactions';
import * as submessages from '../../store/messages/submessages';
import * as exported from '../../store/organisation/exports';
import * as uploads from '../../store/uploads/uploads';
import { jsonEntry, jsonPages, numbered } from './export-pages';

/** Reports an export's progress in percent. Throws if the export must stop. */
export type Report = (progress: number) => Promise<void>;

export interface Exported {
  readonly realmId: RealmId;
  /** The organisation's last message when the export began. */
  readonly lastId: number;
}

/** Small pages, because each message may have a long edit history. */
const IDS_A_PAGE = 50;
/** Messages count for this share of the progress, files for the rest. */
const MESSAGES_SHARE = 80;
const FILES_SHARE = 19;

export const messageEntries = (db: Database, of: Exported, report: Report): AsyncGenerator<TarEntry> =>
  jsonPages('messages', allMessages(db, of, report));

async function* allMessages(db: Database, { realmId, lastId }: Exported, report: Report): AsyncGenerator<object> {
  for (let from = 1; from <= lastId; from += IDS_A_PAGE) {
    await report(Math.floor((MESSAGES_SHARE * (from - 1)) / lastId));
    yield* await readMessages(db, realmId, [from, Math.min(from + IDS_A_PAGE - 1, lastId)]);
  }
}

async function readMessages(db: Database, realmId: RealmId, [from, to]: readonly [number, number]): Promise<object[]> {
  const found = await exported.messages(db, realmId, from, to);
  const ids = found.map(({ id }) => id);
  const reacted = await reactions.byMessages(db, realmId, ids);
  const added = await submessages.byMessages(db, realmId, ids);
  return found.map((message) => ({
    ...messageOf(message),
    reactions: reacted.get(message.id) ?? [],
    submessages: (added.get(message.id) ?? []).map((part) => wireSubmessage(message.id, part)),
  }));
}

const messageOf = (message: Message): object => ({
  id: message.id,
  sender_id: message.senderId,
  stream_id: message.recipientId,
  topic: message.topic,
  content: message.content,
  rendered_content: message.rendered,
  client: message.client,
  timestamp: message.sentAt,
  last_edit_timestamp: message.editedAt,
  edit_history: message.edits,
});

const FILES_A_PAGE = 100;

export async function* fileEntries(db: Database, of: Exported, report: Report): AsyncGenerator<TarEntry> {
  for (let [number, after] = [1, 0]; ; number += 1) {
    await report(MESSAGES_SHARE + Math.min(FILES_SHARE, number - 1));
    const page = await exported.files(db, of.realmId, after, FILES_A_PAGE);
    if (page.length === 0) return;
    const index: object[] = [];
    for (const file of page) {
      const pieces = uploads.chunks(db, file.id);
      const first = await pieces.next();
      // The file was deleted meanwhile.
      if (first.done && file.size > 0) continue;
      index.push(indexed(of.realmId, file));
      yield { name: nameOf(file), size: file.size, content: withFirst(first, pieces) };
      await report(MESSAGES_SHARE + Math.min(FILES_SHARE, number - 1));
    }
    yield jsonEntry(numbered('attachments', number), index);
    after = page.at(-1)!.id;
  }
}

export const nameOf = ({ id }: Pick<exported.LinkedFile, 'id'>): string => `files/${id}`;

/** The index entry of a file. */
export const indexed = (realmId: RealmId, file: exported.LinkedFile): object => ({
  id: file.id,
  owner_id: file.ownerId,
  name: file.name,
  type: file.type,
  size: file.size,
  path_id: uploadPathId({ realmId, token: file.token, name: file.name }),
  created: wireTime(file.createdAt),
  file: nameOf(file),
});

/** If the file is deleted before its last chunk is read, its entry is too short and the export starts again. */
async function* withFirst(first: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (!first.done) yield first.value;
  yield* rest;
}
