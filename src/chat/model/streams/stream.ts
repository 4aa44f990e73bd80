/** A stream: a named channel, open to all members or by invitation. */
import type { RealmId } from '../organisation/realm';
import type { UserId } from '../users/user';
import type { FolderId } from './stream-folder';

declare const stream: unique symbol;
export type StreamId = number & { readonly [stream]: true };

export const POST_POLICY = { everybody: 1, admins: 2, noNewcomers: 3, moderators: 4 } as const;
export type PostPolicy = (typeof POST_POLICY)[keyof typeof POST_POLICY];
export const isPostPolicy = (value: number): value is PostPolicy => Object.values<number>(POST_POLICY).includes(value);

export interface Stream {
  readonly id: StreamId;
  readonly realmId: RealmId;
  readonly name: string;
  readonly description: string;
  readonly renderedDescription: string;
  readonly isPrivate: boolean;
  readonly isAnnouncementOnly: boolean;
  /** Who may write to it: 1 all, 2 administrators, 3 members who are no newcomers, 4 moderators. */
  readonly postPolicy: PostPolicy;
  /** Unknown of streams that an earlier release created. */
  readonly creatorId: UserId | null;
  /** Whether new subscribers may read earlier messages. Always true for public streams. */
  readonly isHistoryPublic: boolean;
  readonly isDefault: boolean;
  readonly isActive: boolean;
  /** Nobody can write to it, change it or join it. Who could read it still can, and its name stays taken. */
  readonly isArchived: boolean;
  readonly folderId: FolderId | null;
  /** Increases with every change of its audience. */
  readonly version: number;
  readonly createdAt: Date;
}

/** From the specification: names are as long as topics. */
export const NAME_LENGTH = 60;
export const DESCRIPTION_LENGTH = 1024;

/** Names with equal keys are the same. */
export const nameKey = (name: string): string =>
  // Character by character, as MySQL does it: İ becomes i, and a final sigma is like any other.
  Array.from(name, (character) => Array.from(character.toLowerCase())[0]).join('');

/** Descriptions have one line. */
export const oneLine = (description: string): string => description.replaceAll(/\r?\n|\r/g, ' ');

const DEACTIVATED = '!DEACTIVATED:';

/** The name of a deactivated stream, cut to the column's length. */
export const deactivatedName = (name: string): string =>
  Array.from(`${DEACTIVATED}${name}`).slice(0, NAME_LENGTH).join('');
