/** Renders a message's content, after looking up the users, groups and streams that it names. */
import type { Database } from '../../../kernel/mysql/pool';
import type { KnownStream, KnownUser, LinkPreview, RenderContext, Rendered } from '../../model/markdown/context';
import { references } from '../../model/markdown/references';
import { isMe, renderPlainly } from '../../model/markdown/render';
import { TRAITS } from '../../model/messages/message';
import type { RealmId } from '../../model/organisation/realm';
import { linkedTokens } from '../../model/uploads/file';
import { maySee } from '../../model/streams/stream-policy';
import { alertedUsers } from '../../model/users/alert-words';
import { systemGroupsNamed } from '../../model/users/system-groups';
import type { User, UserId } from '../../model/users/user';
import { settingOf } from '../../model/users/user-settings';
import type { Rendering } from '../../parts';
import { IN_PLACE_BYTES } from '../../rendering/renderer';
import * as streams from '../../store/streams/streams';
import * as subscriptions from '../../store/streams/subscriptions';
import * as uploads from '../../store/uploads/uploads';
import * as people from '../../store/users/people';
import * as userGroups from '../../store/users/user-groups';
import * as userSettings from '../../store/users/user-settings';

export interface RenderedContent {
  readonly html: string;
  readonly traits: number;
  readonly mentionedUserIds: readonly UserId[];
  /** Users whose alert words it contains. */
  readonly alertedUserIds: readonly UserId[];
  /** Whether it mentions who takes part in its topic. */
  readonly mentionsTopic: boolean;
  /** Linked pages that could get a preview. */
  readonly pages: readonly string[];
}

const NOBODY: readonly UserId[] = [];
const NO_PAGES: readonly string[] = [];

/**
 * With an author, the author's settings apply, and links lead only to streams the author may see. Content without
 * markup needs no lookups.
 */
export async function renderContent(
  chat: Rendering,
  realmId: RealmId,
  content: string,
  by?: User,
): Promise<RenderedContent> {
  const vocabulary = await chat.vocabularies.find(realmId);
  const isSimple = Buffer.byteLength(content) <= IN_PLACE_BYTES && !mayHoldEmoticon(content);
  const html = isSimple && renderPlainly(content, { translateEmoticons: false, linkifiers: vocabulary.linkifiers });
  if (html === undefined || html === false) return renderMarkup(chat, { realmId, content, by });
  return {
    html,
    traits: isMe(content) ? TRAITS.me : 0,
    mentionedUserIds: NOBODY,
    alertedUserIds: alertedUsers(content, vocabulary.alertWords),
    mentionsTopic: false,
    pages: NO_PAGES,
  };
}

export interface Written {
  readonly realmId: RealmId;
  readonly content: string;
  readonly by?: User | undefined;
  /** Previews of linked pages, shown below the content. */
  readonly previews?: ReadonlyMap<string, LinkPreview>;
}

export async function renderMarkup(chat: Rendering, written: Written): Promise<RenderedContent> {
  const { realmId, content, by, previews } = written;
  const vocabulary = await chat.vocabularies.find(realmId);
  const named = await findNamed(chat.mysql, realmId, content, by);
  const translateEmoticons = by !== undefined && mayHoldEmoticon(content) && (await wantsEmoticons(chat.mysql, by));
  const context = {
    ...named,
    pictures: await uploads.factsByTokens(chat.mysql, realmId, linkedTokens(content)),
    linkifiers: vocabulary.linkifiers,
    realmEmoji: vocabulary.realmEmoji,
    translateEmoticons,
    publicUrl: await chat.realms.publicUrl(realmId),
    ...(previews ? { previews } : {}),
  };
  const rendered = await chat.renderer.render(content, context, realmId);
  return {
    html: rendered.html,
    traits: traitsOf(rendered),
    mentionedUserIds: mentionedIn(rendered, named),
    alertedUserIds: alertedUsers(content, vocabulary.alertWords),
    mentionsTopic: rendered.isTopicMention && !rendered.isWildcardMention,
    pages: rendered.pages,
  };
}

/** Most texts have none. The `:/` of `https://` does not count. */
const EMOTICON = /:[)(|]|\(:|<3|;\)|:\/(?!\/)|(?<![a-z]):\//i;
const mayHoldEmoticon = (content: string): boolean => EMOTICON.test(content);

async function wantsEmoticons(db: Database, by: User): Promise<boolean> {
  return settingOf(await userSettings.ofUser(db, by.id), 'translate_emoticons') === true;
}

function traitsOf(rendered: Rendered): number {
  return (
    (rendered.hasLink ? TRAITS.link : 0) |
    (rendered.hasImage ? TRAITS.image : 0) |
    (rendered.hasAttachment ? TRAITS.attachment : 0) |
    (rendered.isMe ? TRAITS.me : 0) |
    (rendered.isWildcardMention ? TRAITS.wildcard : 0)
  );
}

function mentionedIn(rendered: Rendered, named: Named): UserId[] {
  const groups = new Set(rendered.mentionedGroupIds);
  const members = named.groups.filter(({ id }) => groups.has(id)).flatMap((group) => group.members);
  return [...new Set([...rendered.mentionedUserIds, ...members])];
}

export interface Named extends Pick<RenderContext, 'users' | 'addressees' | 'streams'> {
  readonly groups: readonly userGroups.MentionedGroup[];
}

const NOTHING: Named = { users: [], addressees: [], groups: [], streams: [] };

/** Without an author, only what everyone may know is found. */
export async function findNamed(db: Database, realmId: RealmId, content: string, by?: User): Promise<Named> {
  const names = references(content);
  if (Object.values(names).every((list) => list.length === 0)) return NOTHING;
  const [users, addressees, groups, known] = await Promise.all([
    findUsers(db, realmId, names.users),
    people.byEmails(db, realmId, names.addresses),
    userGroups.byNames(db, realmId, names.groups),
    findStreams(db, realmId, names.streams, by),
  ]);
  const byRole = systemGroupsNamed(names.groups).map((group) => ({ ...group, members: NOBODY }));
  const addressed = addressees.map(({ id, email }) => ({ id, email }));
  return { users, addressees: addressed, groups: [...groups, ...byRole], streams: known };
}

/** By full name, or by `Name|ID`. */
async function findUsers(db: Database, realmId: RealmId, names: readonly string[]): Promise<KnownUser[]> {
  const ids = names.flatMap((name) => /\|(\d{1,9})$/.exec(name)?.[1] ?? []).map(Number);
  const [byName, byId] = await Promise.all([people.byFullNames(db, realmId, names), people.byIds(db, realmId, ids)]);
  return [...byName, ...byId].filter(({ isActive }) => isActive).map(({ id, fullName }) => ({ id, fullName }));
}

/** A link would reveal to its author that a stream exists, so only streams that the author may see are linked. */
async function findStreams(
  db: Database,
  realmId: RealmId,
  names: readonly string[],
  by?: User,
): Promise<KnownStream[]> {
  if (names.length === 0) return [];
  const found = await streams.byNames(db, realmId, names);
  const ids = found.map(({ id }) => id);
  const own = by ? await subscriptions.among(db, ids, [by.id]) : [];
  const heard = new Set(own.filter(({ isActive }) => isActive).map(({ streamId }) => streamId));
  const viewer = by ?? { role: 'member' as const };
  return found.filter((stream) => maySee(viewer, stream, heard.has(stream.id))).map(({ id, name }) => ({ id, name }));
}
