/** What a company was told after a number, for whoever missed it. */
import { headsInOutbox, readOutbox } from '../../../kernel/event-log/sources';
import type { Kernel } from '../../../kernel/kernel';
import { readCompanyEvent } from '../../model/companies/company-event';
import { companyTenant, type CompanyId } from '../../model/companies/company';
import type { Caller } from '../../model/contacts/contact';
import { eventsForgotten } from '../../model/faults';

export interface MissedEvent {
  readonly seq: number;
  readonly name: string;
  readonly payload: object;
  readonly created_at: string;
}

export interface Missed {
  readonly events: readonly MissedEvent[];
  /** The newest number there is. */
  readonly head: number;
}

/** How far a company's log goes. */
export async function companyHead(kernel: Kernel, companyId: CompanyId): Promise<number> {
  const tenant = companyTenant(companyId);
  return (await headsInOutbox(kernel, [tenant])).get(tenant) ?? 0;
}

/** Those after the number, oldest first and without a gap; undefined where some are no longer kept, or never were. */
// oxlint-disable-next-line max-params -- whose, from where, how many
export async function findMissed(
  kernel: Kernel,
  companyId: CompanyId,
  after: number,
  most: number,
): Promise<Missed | undefined> {
  // The head first: whatever it counts has committed, and is seen by the reading after it.
  const head = await companyHead(kernel, companyId);
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

export async function listEvents(kernel: Kernel, by: Caller, after: number, most: number): Promise<Missed> {
  const missed = await findMissed(kernel, by.companyId, after, most);
  if (!missed) throw eventsForgotten(after);
  return missed;
}
