/** The input that rendering needs from the organisation, and its result. */
import type { PictureFacts } from '../../../kernel/files/picture-size';
import type { Stream } from '../streams/stream';
import type { User, UserId } from '../users/user';

export type KnownUser = Pick<User, 'id' | 'fullName'>;
/** A user whose avatar is requested by email address. */
export type Addressee = Pick<User, 'id' | 'email'>;
export type KnownStream = Pick<Stream, 'id' | 'name'>;

export interface KnownGroup {
  readonly id: number;
  readonly name: string;
}

/** A pattern that becomes links, in Python's syntax, as clients send it. */
export interface Linkifier {
  readonly id: number;
  readonly pattern: string;
  readonly urlFormat: string;
  /** If it was written as a template, this counts, and the format is made of it for clients of 2.1. */
  readonly urlTemplate?: string | null;
}

/** A link in a topic. */
export interface TopicLink {
  readonly text: string;
  readonly url: string;
}

export interface RealmEmoji {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly deactivated: boolean;
}

/** A linked page's preview. Every preview has a picture: to render it, its path on this server. */
export interface LinkPreview {
  readonly image: string;
  readonly title: string | null;
  readonly description: string | null;
}

/** Needs to contain only what the message names: `references` lists that. */
export interface RenderContext {
  readonly users: readonly KnownUser[];
  readonly addressees: readonly Addressee[];
  readonly groups: readonly KnownGroup[];
  readonly streams: readonly KnownStream[];
  readonly linkifiers: readonly Linkifier[];
  readonly realmEmoji: readonly RealmEmoji[];
  /** The sender's setting that `:)` becomes an emoji. */
  readonly translateEmoticons: boolean;
  /** This server's base URL without a trailing slash. Links to its own narrows become relative. */
  readonly publicUrl: string;
  /** Previews of linked pages by URL, if fetched. */
  readonly previews?: ReadonlyMap<string, LinkPreview>;
  /** What is known of uploaded pictures, by the tokens in their paths. */
  readonly pictures?: ReadonlyMap<string, PictureFacts>;
}

export interface Rendered {
  readonly html: string;
  readonly mentionedUserIds: readonly UserId[];
  readonly mentionedGroupIds: readonly number[];
  readonly isWildcardMention: boolean;
  /** Whether it mentions who takes part in its topic. */
  readonly isTopicMention: boolean;
  readonly isMe: boolean;
  readonly hasLink: boolean;
  readonly hasImage: boolean;
  readonly hasAttachment: boolean;
  /** Linked pages that could get a preview. */
  readonly pages: readonly string[];
}

export const NOTHING_KNOWN: RenderContext = {
  users: [],
  addressees: [],
  groups: [],
  streams: [],
  linkifiers: [],
  realmEmoji: [],
  translateEmoticons: false,
  publicUrl: '',
};
