/** A stream: a named place to talk, open to all members or to those invited. */
import type { RealmId } from '../organisation/realm';

declare const stream: unique symbol;
export type StreamId = number & { readonly [stream]: true };

export interface Stream {
  readonly id: StreamId;
  readonly realmId: RealmId;
  readonly name: string;
  readonly description: string;
  readonly renderedDescription: string;
  readonly isPrivate: boolean;
  readonly isAnnouncementOnly: boolean;
  /** Whether who joins may read what was said before. Always so in public streams. */
  readonly isHistoryPublic: boolean;
  readonly isDefault: boolean;
  readonly isActive: boolean;
  /** Raised by every change of who hears it. */
  readonly version: number;
  readonly createdAt: Date;
}

/** From the specification: names are as long as topics. */
export const NAME_LENGTH = 60;
export const DESCRIPTION_LENGTH = 1024;

/** Two names with one key are the same name. */
export const nameKey = (name: string): string =>
  // Letter by letter, as MySQL does it: İ is i, and a sigma at the end of a word is like any other.
  Array.from(name, (character) => Array.from(character.toLowerCase())[0]).join('');

export const lengthOf = (text: string): number => Array.from(text).length;

/** Descriptions have one line. */
export const oneLine = (description: string): string => description.replaceAll(/\r?\n|\r/g, ' ');

const DEACTIVATED = '!DEACTIVATED:';

/** What a deactivated stream is called, as far as the column holds it. */
export const deactivatedName = (name: string): string =>
  Array.from(`${DEACTIVATED}${name}`).slice(0, NAME_LENGTH).join('');
