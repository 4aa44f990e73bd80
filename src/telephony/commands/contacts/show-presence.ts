/** Users' statuses: the one they set, and online status as their connected clients have it. Publishes each change once. */
import { groupBy } from '../../../kernel/group';
import type { Storage } from '../../../kernel/kernel';
import type { Keyspace } from '../../../kernel/redis/connections';
import { presence } from '../../actors/presence/presence';
import { companyTenant, type CompanyId } from '../../model/companies/company';
import { companyDelivery } from '../../model/companies/company-event';
import type { ContactId, Caller } from '../../model/contacts/contact';
import {
  comeOnline,
  goOffline,
  statusEvent,
  type Status,
  changedStatuses,
  choose,
  NOTHING,
  statusObject,
  type Shown,
} from '../../model/contacts/status';
import { noContact, existing } from '../../model/faults';
import type { PresenceSettings } from '../../settings';
import * as statuses from '../../store/contacts/statuses';

export { findOnline } from '../../store/contacts/statuses';

export interface NodeReport {
  readonly node: string;
  readonly companyId: CompanyId;
  readonly contactIds: readonly ContactId[];
}

const MAX_AT_ONCE = 500;

/** Reports that a node has clients of these users and marks them online. Returns whether any was offline. */
export async function reportPresent(
  kernel: Storage & Keyspace,
  settings: PresenceSettings,
  report: NodeReport,
): Promise<boolean> {
  const { companyId } = report;
  let isNews = false;
  for (let start = 0; start < report.contactIds.length; start += MAX_AT_ONCE) {
    const contactIds = report.contactIds.slice(start, start + MAX_AT_ONCE);
    await say(kernel, settings, { ...report, contactIds }, settings.presenceMs);
    const online = await statuses.onlineAmong(kernel.mysql, contactIds);
    const newcomers = contactIds.filter((id) => !online.has(id));
    if (newcomers.length > 0) {
      await show(kernel, companyId, newcomers, comeOnline);
      isNews = true;
    }
  }
  return isNews;
}

/** Reports that a user's last client left this node. The short validity leaves time to reconnect elsewhere. */
export async function reportLeft(kernel: Keyspace, settings: PresenceSettings, report: NodeReport): Promise<void> {
  await say(kernel, settings, report, Math.max(1, settings.presenceGraceMs));
}

// oxlint-disable-next-line max-params -- the settings and the validity complete the report
function say(kernel: Keyspace, settings: PresenceSettings, report: NodeReport, lastsMs: number): Promise<void> {
  const { companyId, node, contactIds } = report;
  return presence
    .at(companyTenant(companyId))
    .request(kernel, 'report', { node, contactIds, lastsMs, atMostMs: Math.max(lastsMs, settings.presenceMs) });
}

/** Finds users whom no node reports any more and marks them offline. */
export async function sweepAbsent(kernel: Storage & Keyspace, settings: PresenceSettings): Promise<void> {
  for (let after = ''; ;) {
    const page = await statuses.listOnline(kernel.mysql, after, MAX_AT_ONCE);
    for (const [companyId, contacts] of groupBy(page, (contact) => contact.companyId)) {
      const contactIds = contacts.map(({ contactId }) => contactId);
      const absent = await presence
        .at(companyTenant(companyId))
        .request(kernel, 'absent', { contactIds, atMostMs: settings.presenceMs });
      if (absent.length > 0) await show(kernel, companyId, absent, goOffline);
    }
    if (page.length < MAX_AT_ONCE) return;
    after = page.at(-1)!.contactId;
  }
}

/** The locked row decides, so that only one of several processes publishes a change. */
// oxlint-disable-next-line max-params -- which users, and how their status changes
function show(
  kernel: Storage,
  companyId: CompanyId,
  contactIds: readonly ContactId[],
  change: (status: Status) => Status,
): Promise<void> {
  return kernel.transaction(async (tx) => {
    for (const before of await statuses.lock(tx.db, companyId, contactIds)) {
      const after = { ...change(before), updatedAt: kernel.clock.now() };
      if (after.isOnline === before.isOnline) continue;
      await statuses.update(tx.db, after);
      tx.deliver(companyDelivery(companyId, 'user_status_updated', statusEvent(after, after.main)));
    }
  });
}

export interface StatusChange {
  readonly main?: string | undefined;
  /** Null removes it. */
  readonly additional?: Shown | null | undefined;
}

/** Sets a user's status and publishes each change to the company. */
export function setStatus(kernel: Storage, by: Caller, change: StatusChange): Promise<object> {
  const { main, additional } = change;
  return kernel.transaction(async (tx) => {
    const before = existing((await statuses.lock(tx.db, by.companyId, [by.contactId]))[0], noContact);
    const chosen = main === undefined ? before : choose(before, main);
    const shown = additional === undefined ? chosen : { ...chosen, additional: additional ?? NOTHING };
    const changed = changedStatuses(before, shown);
    if (changed.length === 0) return statusObject(before);
    const after = { ...shown, updatedAt: kernel.clock.now() };
    await statuses.update(tx.db, after);
    for (const each of changed)
      tx.deliver(companyDelivery(by.companyId, 'user_status_updated', statusEvent(after, each)));
    return statusObject(after);
  });
}
