/** Rows of tel_carrier_calls: what carriers told us, kept until it is read. */
import type { Knex } from 'knex';
import { send } from '../../kernel/mysql/direct';
import { literal } from '../../kernel/mysql/literal';
import type { CompanyId } from '../model/company';
import type { CarrierAccountId } from '../model/texting';

/** What it is about decides who reads it. */
export type CallAbout = 'texting' | 'fax';

export interface NewCall {
  readonly accountId: CarrierAccountId;
  readonly about: CallAbout;
  readonly sameness: string;
  readonly url: string;
  readonly body: string;
}

export interface StoredCall extends NewCall {
  readonly id: number;
  readonly attempts: number;
  readonly at: Date;
}

interface Row {
  id: number;
  account_id: CarrierAccountId;
  about: CallAbout;
  sameness: string;
  url: string;
  body: string;
  attempts: number;
  created_at: Date;
}

const MICROSECONDS = 1000;
const LONGEST_ERROR = 500;
const LONGEST_URL = 500;

const inMs = (db: Knex, milliseconds: number) =>
  db.raw('NOW(3) + INTERVAL ? MICROSECOND', [Math.round(milliseconds) * MICROSECONDS]);

const newRow = ({ accountId, about, sameness, url, body }: NewCall): string =>
  `(${literal(accountId)}, ${literal(about)}, ${literal(sameness)}, ${literal(url.slice(0, LONGEST_URL))}, ${literal(body)}, ` +
  "'pending', NOW(3), NOW(3))";

/**
 * One statement for all of them, committed by itself; written by hand, as a carrier in a hurry pays for every builder.
 * A repeat changes nothing.
 */
export async function insert(db: Knex, calls: readonly NewCall[]): Promise<void> {
  await send(
    db,
    'INSERT INTO tel_carrier_calls (account_id, about, sameness, url, body, state, created_at, next_try_at) VALUES ' +
      `${calls.map(newRow).join(', ')} ON DUPLICATE KEY UPDATE account_id = tel_carrier_calls.account_id`,
    [],
  );
}

/** What is due of an account, oldest first. */
export async function due(db: Knex, accountId: string, limit: number): Promise<StoredCall[]> {
  const rows = (await db('tel_carrier_calls')
    .where({ account_id: accountId, state: 'pending' })
    .where('next_try_at', '<=', db.raw('NOW(3)'))
    .orderBy('id')
    .limit(limit)) as Row[];
  return rows.map(({ account_id, created_at: at, id, about, sameness, url, body, attempts }) => {
    return { accountId: account_id, at, id, about, sameness, url, body, attempts };
  });
}

export async function isDue(db: Knex, accountId: string): Promise<boolean> {
  return (await due(db, accountId, 1)).length > 0;
}

/** Whether something that came until then has not been read even once. */
export async function isUnread(db: Knex, accountId: string, untilMsAgo: number): Promise<boolean> {
  const row: unknown = await db('tel_carrier_calls')
    .where({ account_id: accountId, state: 'pending', attempts: 0 })
    .where('created_at', '<=', inMs(db, -untilMsAgo))
    .first('id');
  return row !== undefined;
}

/** Accounts with something that has been due for a while. */
export async function waitingAccounts(
  db: Knex,
  forMs: number,
): Promise<{ id: CarrierAccountId; companyId: CompanyId | null }[]> {
  return db('tel_carrier_calls as waiting')
    .leftJoin('tel_carrier_accounts as account', 'account.id', 'waiting.account_id')
    .where({ state: 'pending' })
    .where('next_try_at', '<', inMs(db, -forMs))
    .distinct({ id: 'waiting.account_id', companyId: 'account.company_id' })
    .limit(1000);
}

export async function finish(db: Knex, id: number): Promise<void> {
  await db('tel_carrier_calls')
    .where({ id })
    .update({ state: 'done', awaits: null, error: null, finished_at: db.raw('NOW(3)') });
}

/** A dead letter: kept as it came, for whoever looks into it. */
export async function bury(db: Knex, id: number, error: string): Promise<void> {
  await db('tel_carrier_calls')
    .where({ id })
    .update({ state: 'dead', error: error.slice(0, LONGEST_ERROR), finished_at: db.raw('NOW(3)') });
}

/** Nobody will read them any more. */
export async function buryAll(db: Knex, accountId: string, error: string): Promise<void> {
  await db('tel_carrier_calls')
    .where({ account_id: accountId, state: 'pending' })
    .update({ state: 'dead', error, finished_at: db.raw('NOW(3)') });
}

/** To be read again later; or as soon as the text it awaits is known. */
export async function putOff(
  db: Knex,
  id: number,
  { error, afterMs, awaits = null }: { error: string; afterMs: number; awaits?: string | null },
): Promise<void> {
  await db('tel_carrier_calls')
    .where({ id })
    .update({
      attempts: db.raw('attempts + 1'),
      error: error.slice(0, LONGEST_ERROR),
      awaits,
      next_try_at: inMs(db, afterMs),
    });
}

/** The text is known now. Says whether anything waited for that. */
export async function release(db: Knex, accountId: string, carrierMessageId: string): Promise<boolean> {
  const released = await db('tel_carrier_calls')
    .where({ account_id: accountId, awaits: carrierMessageId, state: 'pending' })
    .update({ awaits: null, next_try_at: db.raw('NOW(3)') });
  return released > 0;
}

/** Says how many it found. */
export async function forgetDone(db: Knex, olderThanMs: number, limit: number): Promise<number> {
  return db('tel_carrier_calls')
    .where({ state: 'done' })
    .where('finished_at', '<', inMs(db, -olderThanMs))
    .limit(limit)
    .delete();
}

export interface DeadCall {
  readonly id: number;
  readonly accountId: CarrierAccountId;
  readonly carrier: string;
  readonly at: Date;
  readonly error: string;
}

const MOST_SHOWN = 100;

/** Dead letters, the newest first. */
export async function dead(db: Knex): Promise<DeadCall[]> {
  return (await db('tel_carrier_calls as call')
    .join('tel_carrier_accounts as account', 'account.id', 'call.account_id')
    .where('call.state', 'dead')
    .orderBy('call.id', 'desc')
    .limit(MOST_SHOWN)
    .select({
      id: 'call.id',
      accountId: 'call.account_id',
      carrier: 'account.carrier',
      at: 'call.created_at',
      error: 'call.error',
    })) as DeadCall[];
}

/** Reads dead letters again, all or one of them. Says how many there were. */
export async function revive(db: Knex, id?: number): Promise<number> {
  return db('tel_carrier_calls')
    .where({ state: 'dead', ...(id === undefined ? {} : { id }) })
    .update({ state: 'pending', attempts: 0, error: null, finished_at: null, next_try_at: db.raw('NOW(3)') });
}
