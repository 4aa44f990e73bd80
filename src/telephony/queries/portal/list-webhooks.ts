/** Lists a company's webhooks and their recent deliveries. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import type { PortalDelivery, PortalWebhook } from '../../model/answers/portal-webhooks';
import type { Caller } from '../../model/contacts/contact';
import { notOwner } from '../../model/faults';
import { noWebhook, type CompanyWebhook } from '../../model/portal/company-webhook';
import * as webhooks from '../../store/portal/company-webhooks';
import * as deliveries from '../../store/portal/webhook-deliveries';

export const webhookObject = ({ id, url, events, isActive, createdAt }: CompanyWebhook): PortalWebhook => ({
  id,
  url,
  events,
  active: isActive,
  created_at: createdAt.toISOString(),
});

export async function listWebhooks({ mysql }: Kernel, by: Caller): Promise<PortalWebhook[]> {
  ensure(by.isOwner, notOwner());
  return (await webhooks.list(mysql, by.companyId)).map(webhookObject);
}

/** Newest first. */
export async function listDeliveries({ mysql }: Kernel, by: Caller, webhookId: string): Promise<PortalDelivery[]> {
  ensure(by.isOwner, notOwner());
  const webhook = await webhooks.byId(mysql, webhookId);
  ensure(webhook?.companyId === by.companyId, noWebhook());
  return (await deliveries.list(mysql, webhookId)).map((delivery) => ({
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
