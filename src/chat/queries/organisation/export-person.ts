/** Archive entries with everything that is stored about one user, for data subject access requests. */
import type { Database } from '../../../kernel/mysql/pool';
import type { TarEntry } from '../../../kernel/files/tar';
import type { Message } from '../../model/messages/message';
import type { User } from '../../model/users/user';
import * as streams from '../../store/streams/streams';
import * as subscriptions from '../../store/streams/subscriptions';
import * as avatars from '../../store/uploads/avatars';
import * as uploads from '../../store/uploads/uploads';
import * as personal from '../../store/users/personal-data';
import { personOf } from './export-directory';
import { indexed } from './export-messages';
import { jsonEntry, jsonPages } from './export-pages';

/** This server's own format version, which readers check first. */
const FORMAT = 1;
/** Small pages, because each message may have a long edit history. */
const MESSAGES_A_PAGE = 50;

export async function* personEntries(db: Database, user: User): AsyncGenerator<TarEntry> {
  yield jsonEntry('person.json', { format: FORMAT, ...(await accountOf(db, user)) });
  const picture =
    user.avatarKey === null
      ? undefined
      : await avatars.picture(db, user.realmId, { key: user.avatarKey, isMedium: true });
  if (picture) yield { name: 'avatar.png', size: picture.length, content: [picture] };
  yield* jsonPages('messages', allMessages(db, user));
  const files = await uploads.ofOwner(db, user.realmId, user.id);
  yield jsonEntry(
    'attachments.json',
    files.map((file) => indexed(user.realmId, file, nameOf(file))),
  );
  for (const file of files) yield { name: nameOf(file), size: file.size, content: uploads.chunks(db, file.id) };
}

async function accountOf(db: Database, user: User): Promise<object> {
  const heard = await subscriptions.ofUser(db, user.id);
  const named = new Map((await streams.list(db, user.realmId, { all: true })).map(({ id, name }) => [id, name]));
  return {
    ...personOf(user),
    settings: await personal.settings(db, user.id),
    streams: heard.map(({ streamId }) => ({ id: streamId, name: named.get(streamId) ?? null })),
    mails: await personal.mailsTo(db, user),
    ...(await personal.ownRows(db, user.id)),
  };
}

async function* allMessages(db: Database, user: User): AsyncGenerator<object> {
  for (let after = 0; ;) {
    const page = await personal.messagesOf(db, user, after, MESSAGES_A_PAGE);
    for (const message of page) yield wireMessage(message);
    if (page.length < MESSAGES_A_PAGE) return;
    after = page.at(-1)!.id;
  }
}

/** A private message has a conversation instead of a stream and topic. */
const wireMessage = (message: Message): object => ({
  id: message.id,
  ...(message.topicId === null
    ? { conversation_id: message.recipientId }
    : { stream_id: message.recipientId, topic: message.topic }),
  content: message.content,
  client: message.client,
  timestamp: message.sentAt,
  last_edit_timestamp: message.editedAt,
  edit_history: message.edits,
});

const nameOf = ({ id }: uploads.Upload): string => `files/${id}`;
