/** Renders a message's content, after looking up the users, groups and streams that it names. */
import type { Database } from '../../../kernel/mysql/pool';
import type { LinkPreview, Rendered } from '../../model/markdown/context';
import { isMe, renderPlainly } from '../../model/markdown/render';
import { TRAITS } from '../../model/messages/message';
import type { RealmId } from '../../model/organisation/realm';
import { alertedUsers } from '../../model/users/alert-words';
import type { User, UserId } from '../../model/users/user';
import { settingOf } from '../../model/users/user-settings';
import type { Chat } from '../../parts';
import { IN_PLACE_BYTES } from '../../rendering/renderer';
import * as userSettings from '../../store/users/user-settings';
import { findNamed, type Named } from './find-named';

type Parts = Pick<Chat, 'mysql' | 'realms' | 'renderer' | 'vocabularies'>;

export interface RenderedContent {
  readonly html: string;
  readonly traits: number;
  readonly mentionedUserIds: readonly UserId[];
  /** Users whose alert words it contains. */
  readonly alertedUserIds: readonly UserId[];
  /** Whether it mentions its whole audience. */
  readonly isWildcard: boolean;
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
  chat: Parts,
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
    isWildcard: false,
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

export async function renderMarkup(chat: Parts, written: Written): Promise<RenderedContent> {
  const { realmId, content, by, previews } = written;
  const vocabulary = await chat.vocabularies.find(realmId);
  const named = await findNamed(chat.mysql, realmId, content, by);
  const translateEmoticons = by !== undefined && mayHoldEmoticon(content) && (await wantsEmoticons(chat.mysql, by));
  const context = {
    ...named,
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
    isWildcard: rendered.isWildcardMention,
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
