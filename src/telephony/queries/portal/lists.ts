/** The lists that only the portal shows: sessions, API keys, webhooks, text templates, bulk orders, provisioning states. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type {
  PortalBulkOrder,
  PortalDelivery,
  PortalKey,
  PortalSessions,
  PortalWebhook,
} from '../../model/answers/portal';
import type { NamedKey } from '../../model/companies/key';
import type { Caller } from '../../model/contacts/contact';
import { standingOf, type Standing } from '../../model/extensions/provisioning-state';
import { notOwner } from '../../model/faults';
import { noWebhook, type CompanyWebhook, type DeliveryState } from '../../model/portal/company-webhook';
import type { TextTemplate } from '../../model/portal/portal';
import type { Telephony } from '../../parts';
import * as keys from '../../store/companies/keys';
import * as bulkOrders from '../../store/extensions/bulk-orders';
import { holdings } from '../../store/extensions/extensions';
import { lastOf } from '../../store/extensions/operation-queries';
import * as webhooks from '../../store/portal/company-webhooks';
import * as sessions from '../../store/portal/sessions';
import * as templates from '../../store/portal/text-templates';
import * as deliveries from '../../store/portal/webhook-deliveries';
import * as drift from '../../store/sites/drift';
import { getInstance } from '../sites/sites';
import { findSession } from './find-session-caller';

/** The token tells which session is the current one. */
export async function listSessions(
  telephony: Storage & Pick<Telephony, 'keys' | 'settings'>,
  by: Caller,
  token: string,
): Promise<PortalSessions> {
  const days = telephony.settings.sessionDays;
  const current = await findSession(telephony, { token, from: by.from, days });
  const found = await sessions.list(telephony.mysql, by.contactId, days);
  return found.map(({ id, agent, address, openedBy, createdAt, lastUsedAt }) => ({
    id,
    agent,
    address,
    opened_by: openedBy,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt.toISOString(),
    current: id === current?.id,
  }));
}

export const keyObject = ({ id, name, rights, createdAt, lastUsedAt, endsAt }: NamedKey): PortalKey => ({
  id,
  name,
  rights,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
  ends_at: endsAt?.toISOString() ?? null,
});

export async function listKeys(db: Database, by: Caller): Promise<PortalKey[]> {
  ensure(by.isOwner, notOwner());
  return (await keys.list(db, by.companyId)).map(keyObject);
}

export const webhookObject = (webhook: CompanyWebhook): PortalWebhook => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  active: webhook.isActive,
  previous_secret_ends_at: webhook.previousEndsAt?.toISOString() ?? null,
  created_at: webhook.createdAt.toISOString(),
});

export async function listWebhooks(db: Database, by: Caller): Promise<PortalWebhook[]> {
  ensure(by.isOwner, notOwner());
  return (await webhooks.list(db, by.companyId)).map(webhookObject);
}

/** Newest first. */
export async function listDeliveries(
  db: Database,
  by: Caller,
  { webhookId, state }: { readonly webhookId: string; readonly state: DeliveryState | undefined },
): Promise<PortalDelivery[]> {
  ensure(by.isOwner, notOwner());
  const webhook = await webhooks.byId(db, webhookId);
  ensure(webhook?.companyId === by.companyId, noWebhook());
  return (await deliveries.list(db, webhookId, state)).map((delivery) => ({
    id: delivery.id,
    event: delivery.event,
    body: delivery.body,
    state: delivery.state,
    attempts: delivery.attempts,
    answer: delivery.answer,
    created_at: delivery.createdAt.toISOString(),
    finished_at: delivery.finishedAt?.toISOString() ?? null,
  }));
}

export const listTemplates = (db: Database, by: Caller): Promise<TextTemplate[]> => templates.list(db, by.companyId);

const MAX_BULK_ORDERS = 20;

export async function listBulkOrders(db: Database, by: Caller): Promise<PortalBulkOrder[]> {
  const found = await bulkOrders.latest(db, by, MAX_BULK_ORDERS);
  return found.map(({ id, instance, mode, isFinished, total, createdAt }) => ({
    id,
    instance_uuid: instance,
    mode,
    state: isFinished === 1 ? 'finished' : 'running',
    total,
    created: createdAt.toISOString(),
  }));
}

/** More than any known company has. */
const MAX_HOLDINGS = 20_000;

export async function listHoldings(db: Database, by: Caller): Promise<{ contact_id: string; number: number }[]> {
  const found = await holdings(db, by.companyId, MAX_HOLDINGS);
  return found.map(({ userId, number }) => ({ contact_id: userId, number }));
}

export async function listStandings(
  db: Database,
  by: Caller,
  { uuid, numbers }: { readonly uuid: string; readonly numbers: readonly number[] },
): Promise<Standing[]> {
  const { uuid: instance } = await getInstance(db, by, uuid);
  const [orders, comparison] = await Promise.all([lastOf(db, instance, numbers), drift.byInstance(db, instance)]);
  const orderOf = new Map(orders.map((order) => [order.objectNumber, order]));
  return numbers.map((number) => standingOf(number, orderOf.get(number), comparison));
}
