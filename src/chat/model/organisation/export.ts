/** An export of an organisation's public content: its states, its limits, and the administrators' view. */
import type { Wire } from '../../../kernel/text/wire';
import type { realmExport } from '../answers/organisation';
import type { UserId } from '../users/user';
import type { RealmId } from './realm';

/** An export to be written. */
export interface ExportOrder {
  readonly realmId: RealmId;
  readonly exportId: number;
}

export type ExportState = 'pending' | 'done' | 'failed' | 'deleted';

export interface RealmExport {
  readonly id: number;
  readonly realmId: RealmId;
  readonly actingUserId: UserId;
  readonly state: ExportState;
  readonly attempt: number;
  /** In percent. */
  readonly progress: number;
  /** Of the finished archive. */
  readonly size: number | null;
  readonly sha256: string | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly deletedAt: Date | null;
}

const DAY_MS = 86_400_000;

/** Zulip's weekly limit. Failed exports do not count. */
export const MAX_IN_A_WEEK = 5;
export const WEEK_MS = 7 * DAY_MS;
/** How long archives are kept, and how many. */
export const KEEP_MS = 7 * DAY_MS;
export const MAX_KEPT = 3;
/** Older records are deleted. */
export const MAX_LISTED_EXPORTS = 50;
/** An export without progress for this long has failed. */
export const GIVE_UP_MS = DAY_MS;
/** How long ended exports are checked for leftover chunks: a process may have stopped before it removed all. */
export const LEFTOVERS_MS = DAY_MS;
/** Zulip's limit for uploaded files. */
export const MAX_FILE_BYTES = 10 * 1024 ** 3;
/** Limit of an archive, in chunks of 1 MiB. */
export const MAX_CHUNKS = 20 * 1024;

export const archiveName = ({ id }: Pick<RealmExport, 'id'>): string => `export-${id}.tar.gz`;

const secondsOf = (time: Date | null): number | null => (time === null ? null : time.getTime() / 1000);

export function wireExport(each: RealmExport, publicUrl: string): Wire<typeof realmExport> {
  return {
    id: each.id,
    export_time: each.createdAt.getTime() / 1000,
    acting_user_id: each.actingUserId,
    export_url: each.state === 'done' ? `${publicUrl}/api/v1/export/realm/${each.id}/archive` : null,
    deleted_timestamp: secondsOf(each.deletedAt),
    failed_timestamp: each.state === 'failed' ? secondsOf(each.endedAt) : null,
    pending: each.state === 'pending',
    progress: each.progress,
    size: each.size,
    sha256: each.sha256,
  };
}

export const finishedText = (url: string): string => `The export of your organization is ready: ${url}`;
export const failedText = 'The export of your organization failed. You may ask for another one.';
