/** What rendering needs to know of the organisation, and what it gives back. */
import type { StreamId } from '../streams/stream';
import type { UserId } from '../users/user';

export interface KnownUser {
  readonly id: UserId;
  readonly fullName: string;
}

/** Somebody whose picture is asked for by address. */
export interface Addressee {
  readonly id: UserId;
  readonly email: string;
}

export interface KnownGroup {
  readonly id: number;
  readonly name: string;
}

export interface KnownStream {
  readonly id: StreamId;
  readonly name: string;
}

/** A pattern of the organisation's that becomes links; the pattern is in Python's spelling, as clients send it. */
export interface Linkifier {
  readonly id: number;
  readonly pattern: string;
  readonly urlFormat: string;
}

export interface RealmEmoji {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly deactivated: boolean;
}

/** What a linked page says of itself; every page that is shown has a picture. */
export interface LinkPreview {
  readonly image: string;
  readonly title: string | null;
  readonly description: string | null;
}

/** Only what the message names has to be in here: `references` says what that is. */
export interface RenderContext {
  readonly users: readonly KnownUser[];
  readonly addressees: readonly Addressee[];
  readonly groups: readonly KnownGroup[];
  readonly streams: readonly KnownStream[];
  readonly linkifiers: readonly Linkifier[];
  readonly realmEmoji: readonly RealmEmoji[];
  /** The sender's wish that `:)` becomes an emoji. */
  readonly translateEmoticons: boolean;
  /** Where this server is reached, without a slash at the end: links to its own narrows become relative. */
  readonly publicUrl: string;
  /** Previews of linked pages by their addresses, where they have been fetched. */
  readonly previews?: ReadonlyMap<string, LinkPreview>;
}

export interface Rendered {
  readonly html: string;
  readonly mentionedUserIds: readonly UserId[];
  readonly mentionedGroupIds: readonly number[];
  readonly isWildcardMention: boolean;
  readonly isMe: boolean;
  readonly hasLink: boolean;
  readonly hasImage: boolean;
  readonly hasAttachment: boolean;
  /** Linked pages that could be shown below the message. */
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
