/** An API key as the company's owner sees it. The key itself is shown only once, when it is created. */
import type { KeyRights } from './key-rights';

export interface NamedKey {
  /** A prefix of the key's hash: enough to tell a company's keys apart, useless to anybody else. */
  readonly id: string;
  readonly name: string;
  readonly rights: KeyRights;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly endsAt: Date | null;
}

export const KEY_ID_LENGTH = 24;
/** More than any company has integrations. */
export const MAX_KEYS = 100;
/** The time of last use is written at most this often. */
export const NOTE_KEY_USE_SECONDS = 300;
