/** A draft: what somebody has written and not sent. Only they and their clients see it. */
import { plain } from '../faults';

export const DRAFT_TYPES = ['', 'stream', 'private'] as const;
export type DraftType = (typeof DRAFT_TYPES)[number];

export interface DraftFields {
  /** Empty while nobody is chosen. */
  readonly type: DraftType;
  /** The id of a stream, or those of people. Nobody but their clients resolves them. */
  readonly to: readonly number[];
  readonly topic: string;
  readonly content: string;
  /** Seconds. */
  readonly timestamp: number;
}

export interface SavedDraft extends DraftFields {
  readonly id: number;
}

/** Of one person. */
export const MAX_DRAFTS = 200;
export const MAX_DRAFT_BYTES = 1024 * 1024;
export const MAX_DRAFT_RECIPIENTS = 200;
export const MAX_DRAFT_LENGTH = 10_000;
export const MAX_DRAFT_TOPIC = 60;
/** What the column holds. Later times are mistakes of a client, perhaps one that counts milliseconds. */
export const MAX_DRAFT_TIME = 4_294_967_295;

export const emptyDraft = () => plain('Message must not be empty');
export const badDraftTime = () => plain('Timestamp must not be negative.');
export const notOneStream = () => plain('Must specify exactly 1 stream ID for stream messages');
export const tooManyRecipients = () => plain(`A draft may name at most ${MAX_DRAFT_RECIPIENTS} recipients`);
export const tooManyDrafts = () => plain(`You have too many drafts (limit: ${MAX_DRAFTS}, 1 MiB in all)`);
