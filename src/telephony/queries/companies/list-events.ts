/** Reads a company's events after a number, for clients that missed them. */
import { headsInOutbox, readOutbox } from '../../../kernel/event-log/sources';
import type { Kernel } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import { readCompanyEvent } from '../../model/companies/company-event';
import { companyTenant, type CompanyId } from '../../model/companies/company';
import type { Caller } from '../../model/contacts/contact';
import { eventsForgotten, existing } from '../../model/faults';

type Parts = Pick<Kernel, 'log' | 'mysql'>;

export interface MissedEvent {
  readonly seq: number;
  readonly name: string;
  readonly payload: object;
  readonly created_at: string;
}

export interface Missed {
  readonly events: readonly MissedEvent[];
  /** The newest event number. */
  readonly head: number;
}

/** The newest event number of a company. */
export async function companyHead(db: Database, companyId: CompanyId): Promise<number> {
  const tenant = companyTenant(companyId);
  return (await headsInOutbox(db, [tenant])).get(tenant) ?? 0;
}

/** Events after the number, oldest first and without gaps. Undefined if some have expired or the number is ahead. */
// oxlint-disable-next-line max-params -- the company, the position and the limit
export async function findMissed(
  kernel: Parts,
  companyId: CompanyId,
  after: number,
  most: number,
): Promise<Missed | undefined> {
  // The head is read first: events up to it have committed, so the next read sees them.
  const head = await companyHead(kernel.mysql, companyId);
  if (after > head) return undefined;
  const rows = after === head ? [] : await readOutbox(kernel, companyTenant(companyId), after, most);
  if (after < head && rows[0]?.number !== after + 1) return undefined;
  const events = rows.map(({ number, body, at }) => ({
    seq: number,
    ...readCompanyEvent(body),
    created_at: at.toISOString(),
  }));
  return { events, head };
}

export async function listEvents(kernel: Parts, by: Caller, after: number, most: number): Promise<Missed> {
  return existing(await findMissed(kernel, by.companyId, after, most), () => eventsForgotten(after));
}
