/** An API key as its company's owner sees it. The key itself is shown once, when it is made. */
import type { KeyRights } from './key-rights';

export interface NamedKey {
  /** The beginning of its hash: enough to tell the keys of a company apart, and worthless to anybody else. */
  readonly id: string;
  readonly name: string;
  readonly rights: KeyRights;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly endsAt: Date | null;
}

export const KEY_ID_LENGTH = 24;
/** More than any company has programs. */
export const MOST_KEYS = 100;
/** The time of the last use is written at most this often. */
export const NOTE_KEY_USE_SECONDS = 300;
