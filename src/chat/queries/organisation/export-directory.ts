/** The part of an organisation's export besides messages, without secrets; and the export of one user. */
import type { TarEntry } from '../../../kernel/files/tar';
import type { Database } from '../../../kernel/mysql/pool';
import { runRead, together } from '../../../kernel/mysql/read-packet';
import type { Message } from '../../model/messages/message';
import type { Realm } from '../../model/organisation/realm';
import { wireDomain } from '../../model/organisation/realm-domain';
import { REALM_PICTURES } from '../../model/uploads/realm-picture';
import type { User } from '../../model/users/user';
import { wireTime } from '../../model/users/user-wire';
import * as linkifiers from '../../store/organisation/linkifiers';
import * as domains from '../../store/organisation/realm-domains';
import * as emoji from '../../store/organisation/realm-emoji';
import * as streamGroups from '../../store/streams/stream-groups';
import * as streams from '../../store/streams/streams';
import * as subscriptions from '../../store/streams/subscriptions';
import * as pictures from '../../store/uploads/pictures';
import * as uploads from '../../store/uploads/uploads';
import * as personal from '../../store/users/personal-data';
import * as profileFields from '../../store/users/profile-fields';
import * as userGroups from '../../store/users/user-groups';
import * as settings from '../../store/users/user-settings';
import * as users from '../../store/users/users';
import { foldersRead } from '../streams/list-folders';
import { indexed, nameOf } from './export-messages';
import { jsonEntry, jsonPages } from './export-pages';

export async function* directoryEntries(db: Database, realm: Realm): AsyncGenerator<TarEntry> {
  const { id } = realm;
  yield jsonEntry('realm.json', realmOf(realm));
  const everybody = await users.list(db, id);
  yield jsonEntry('users.json', everybody.map(personOf));
  yield jsonEntry('profile_fields.json', {
    fields: await profileFields.list(db, id),
    answers: Object.fromEntries(await runRead(db, profileFields.answersRead(id))),
  });
  yield jsonEntry('user_groups.json', await runRead(db, userGroups.listRead(id)));
  yield* jsonPages('streams', publicStreams(db, realm));
  yield jsonEntry('channel_folders.json', await runRead(db, foldersRead(id)));
  yield jsonEntry('default_stream_groups.json', await streamGroups.list(db, id));
  yield jsonEntry('realm_domains.json', (await domains.list(db, id)).map(wireDomain));
  yield jsonEntry('linkifiers.json', await runRead(db, linkifiers.listRead(id)));
  yield* pictureEntries(db, realm, everybody);
}

/** This server's own format version, which readers check first. */
const FORMAT = 1;

function realmOf({ id, subdomain, name, description, settings }: Realm): object {
  const { zoom_api_key: _, zoom_api_secret: __, zoom_user_id: ___, ...open } = settings;
  return { format: FORMAT, id, subdomain, name, description, settings: open };
}

const personOf = (user: User): object => ({
  id: user.id,
  email: user.email,
  full_name: user.fullName,
  short_name: user.shortName,
  role: user.title ?? user.role,
  is_active: user.isActive,
  bot_type: user.botType,
  bot_owner_id: user.botOwnerId,
  timezone: user.timezone,
  date_joined: wireTime(user.joinedAt),
});

/** One stream at a time: each may have as many subscribers as there are users. */
async function* publicStreams(db: Database, { id }: Realm): AsyncGenerator<object> {
  for (const stream of (await runRead(db, streams.listRead(id, { withArchived: true }))).streams) {
    if (stream.isPrivate) continue;
    yield {
      id: stream.id,
      name: stream.name,
      description: stream.description,
      is_announcement_only: stream.isAnnouncementOnly,
      is_default: stream.isDefault,
      is_archived: stream.isArchived,
      folder_id: stream.folderId,
      created: wireTime(stream.createdAt),
      subscribers: (await subscriptions.subscribersOf(db, [stream.id])).get(stream.id) ?? [],
    };
  }
}

/** One picture at a time is in memory. */
async function* pictureEntries(db: Database, realm: Realm, everybody: readonly User[]): AsyncGenerator<TarEntry> {
  for (const kind of REALM_PICTURES) {
    const bytes = realm.pictures[kind].isUploaded ? await pictures.realmPicture(db, realm.id, kind) : undefined;
    if (bytes) yield pictureEntry(`realm/${kind}.png`, bytes);
  }
  for (const user of everybody) yield* avatarEntry(db, user, `avatars/${user.id}.png`);
  yield* emojiEntries(db, realm);
}

async function* avatarEntry(db: Database, { realmId, avatarKey: key }: User, name: string): AsyncGenerator<TarEntry> {
  const bytes = key === null ? undefined : await pictures.avatar(db, realmId, { key, isMedium: true });
  if (bytes) yield pictureEntry(name, bytes);
}

async function* emojiEntries(db: Database, { id: realmId }: Realm): AsyncGenerator<TarEntry> {
  const all = await emoji.list(db, realmId);
  const index: object[] = [];
  for (const { id, name, isActive, extension, author } of all) {
    const picture = await emoji.picture(db, realmId, id);
    if (!picture) continue;
    const file = `emoji/${id}.${extension}`;
    index.push({ id, name, is_active: isActive, author_id: author.id, file });
    yield pictureEntry(file, picture.bytes);
  }
  yield jsonEntry('emoji.json', index);
}

const pictureEntry = (name: string, bytes: Buffer): TarEntry => ({ name, size: bytes.length, content: [bytes] });

/** Small pages, because each message may have a long edit history. */
const MESSAGES_A_PAGE = 50;

/** Everything that is stored about one user, for data subject access requests. */
export async function* personEntries(db: Database, user: User): AsyncGenerator<TarEntry> {
  yield jsonEntry('person.json', { format: FORMAT, ...(await accountOf(db, user)) });
  yield* avatarEntry(db, user, 'avatar.png');
  yield* jsonPages('messages', allMessages(db, user));
  const files = await uploads.ofOwner(db, user.realmId, user.id);
  const index = files.map((file) => indexed(user.realmId, file));
  yield jsonEntry('attachments.json', index);
  for (const file of files) yield { name: nameOf(file), size: file.size, content: uploads.chunks(db, file.id) };
}

async function accountOf(db: Database, user: User): Promise<object> {
  const { heard, list } = await runRead(
    db,
    together({
      heard: subscriptions.ofUserRead(user.id),
      list: streams.listRead(user.realmId, { withArchived: true }),
    }),
  );
  const named = new Map(list.streams.map(({ id, name }) => [id, name]));
  return {
    ...personOf(user),
    settings: await settings.ofUser(db, user.id),
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
