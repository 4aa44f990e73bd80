/** Rows of tel_carrier_calls: calls from carriers, stored until they are processed. */
import type { Knex } from 'knex';
import type { MailboxAdminOptions } from '../../../kernel/mailbox/mailbox-admin';
import type { MailTable } from '../../../kernel/mailbox/mailbox';
import { literal } from '../../../kernel/mysql/literal';
import { runRepeatable } from '../../../kernel/mysql/packet';
import type { Database } from '../../../kernel/mysql/pool';
import { ago } from '../../../kernel/mysql/sql-parts';
import { companyTenant, type CompanyId } from '../../model/companies/company';
import { withoutPeople } from '../../model/texting/hide-people';
import type { CarrierAccountId } from '../../model/texting/texting';

/** What the call is about. It decides which command processes it. */
export type CallAbout = 'texting' | 'fax';

export interface NewCall {
  readonly accountId: CarrierAccountId;
  readonly about: CallAbout;
  readonly dedupeKey: string;
  readonly url: string;
  readonly body: string;
}

export interface StoredCall extends NewCall {
  readonly id: number;
  readonly at: Date;
}

/** `awaits` is the carrier's id of a text that must be known first. */
export const callTable: MailTable<StoredCall, never> = {
  name: 'tel_carrier_calls',
  address: 'account_id',
  reason: 'error',
  maxReasonLength: 500,
  dueAt: 'next_try_at',
  read: (row) => ({
    id: row['id'] as number,
    accountId: row['account_id'] as CarrierAccountId,
    about: row['about'] as CallAbout,
    dedupeKey: row['dedupe_key'] as string,
    url: row['url'] as string,
    body: row['body'] as string,
    at: row['created_at'] as Date,
  }),
};

interface Owner {
  readonly id: string;
  readonly carrier: string;
  readonly company_id: CompanyId;
}

/** The work-queue admin view for operators. It hides people's numbers and texts. */
export const callAdmin: MailboxAdminOptions = {
  name: 'carrier-calls',
  about: 'calls of carriers; subject is the account, kind what they are about',
  kind: 'about',
  async show(db, rows) {
    const ids = [...new Set(rows.map((row) => row['account_id'] as string))];
    const owners = (await db('tel_carrier_accounts')
      .whereIn('id', ids)
      .select('id', 'carrier', 'company_id')) as Owner[];
    const known = new Map(owners.map((owner) => [owner.id, owner]));
    return rows.map((row) => {
      const owner = known.get(row['account_id'] as string);
      return {
        // The account may have been removed.
        tenant: owner ? companyTenant(owner.company_id) : null,
        subject: row['account_id'] as string,
        kind: row['about'] as string,
        reference: null,
        payload: withoutPeople(row['body'] as string),
        more: { awaits: row['awaits'], ...(owner && { carrier: owner.carrier }) },
      };
    });
  },
};

const MAX_URL_LENGTH = 500;

const newRow = ({ accountId, about, dedupeKey, url, body }: NewCall): string =>
  `(${literal(accountId)}, ${literal(about)}, ${literal(dedupeKey)}, ${literal(url.slice(0, MAX_URL_LENGTH))}, ${literal(body)}, ` +
  "'pending', NOW(3), NOW(3))";

/** Inserts all calls in one round trip. Plain SQL, because a query builder costs too much in a burst. Duplicates are ignored. */
export const insert = (db: Database, calls: readonly NewCall[]): Promise<void> =>
  runRepeatable(db, [
    'INSERT INTO tel_carrier_calls (account_id, about, dedupe_key, url, body, state, created_at, next_try_at) VALUES ' +
      `${calls.map(newRow).join(', ')} ON DUPLICATE KEY UPDATE account_id = tel_carrier_calls.account_id`,
  ]);

/** Whether any call that arrived before then has never been attempted. */
export async function isUnread(db: Knex, accountId: string, untilMsAgo: number): Promise<boolean> {
  const row: unknown = await db('tel_carrier_calls')
    .where({ account_id: accountId, state: 'pending', attempts: 0 })
    .where('created_at', '<=', ago(db, untilMsAgo))
    .first('id');
  return row !== undefined;
}

/** Moves the pending calls of a removed account to the dead letters. */
export async function buryAll(db: Knex, accountId: string, error: string): Promise<void> {
  await db('tel_carrier_calls')
    .where({ account_id: accountId, state: 'pending' })
    .update({ state: 'failed', error, finished_at: db.raw('NOW(3)') });
}

/** Releases the calls that waited for this text. Returns whether there were any. */
export async function release(db: Knex, accountId: string, carrierMessageId: string): Promise<boolean> {
  const released = await db('tel_carrier_calls')
    .where({ account_id: accountId, awaits: carrierMessageId, state: 'pending' })
    .update({ awaits: null, next_try_at: db.raw('NOW(3)') });
  return released > 0;
}

export interface DeadCall {
  readonly id: number;
  readonly accountId: CarrierAccountId;
  readonly carrier: string;
  readonly at: Date;
  readonly error: string;
}

const MAX_SHOWN = 100;

/** Dead letters, newest first. */
export async function dead(db: Knex): Promise<DeadCall[]> {
  return (await db('tel_carrier_calls as call')
    .join('tel_carrier_accounts as account', 'account.id', 'call.account_id')
    .where('call.state', 'failed')
    .orderBy('call.id', 'desc')
    .limit(MAX_SHOWN)
    .select({
      id: 'call.id',
      accountId: 'call.account_id',
      carrier: 'account.carrier',
      at: 'call.created_at',
      error: 'call.error',
    })) as DeadCall[];
}

/** Retries one or all dead letters. Returns how many there were. */
export async function revive(db: Knex, id?: number): Promise<number> {
  return db('tel_carrier_calls')
    .where({ state: 'failed', ...(id === undefined ? {} : { id }) })
    .update({ state: 'pending', attempts: 0, error: null, finished_at: null, next_try_at: db.raw('NOW(3)') });
}
