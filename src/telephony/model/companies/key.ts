/** API keys of a company and what they may do; the notice that access changed. */
import { tenantOf } from '../../../kernel/actor/address';
import { socketEvent } from '../../../kernel/event-log/socket-events';
import type { Delivery } from '../../../kernel/mysql/outbox';
import type { CompanyId } from './company';

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

export const KEY_RIGHTS = ['write', 'read', 'texting'] as const;
export type KeyRights = (typeof KEY_RIGHTS)[number];

/** Routes that only read although they are POST. */
const READS: ReadonlySet<string> = new Set(['/instances/:instance_uuid/bulks/extensions/check']);
/** The routes of a client that only sends and receives texts and faxes. */
const TEXTING = ['/texting/', '/files', '/conversion/files/', '/fax/', '/events', '/statuses/', '/status/'];
const ABOUT_ONESELF = '/system/account';

export interface CalledRoute {
  readonly method: string;
  readonly path: string;
}

export function mayCall(rights: KeyRights, { method, path }: CalledRoute): boolean {
  if (rights === 'write') return true;
  if (rights === 'read') return method === 'get' || READS.has(path);
  return path === ABOUT_ONESELF || TEXTING.some((start) => path.startsWith(start));
}

/** One log for all companies. It is separate from theirs, because clients would see gaps in the numbering. */
export const ACCESS_LOG = tenantOf('tel', 'access');

/** Retained for long, so that a node that was cut off for a while still gets it. */
export const accessChanged = (companyId: CompanyId): Delivery => socketEvent(ACCESS_LOG, companyId);
