/** Schemas of a company's webhooks. */
import { z } from 'zod';
import type { Wire } from '../../../kernel/text/wire';
import { DELIVERY_STATES } from '../portal/company-webhook';
import { time } from './company';

const webhookShape = {
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()).meta({ description: 'Empty means all' }),
  active: z.boolean(),
  created_at: time,
};
const webhook = z.object(webhookShape).meta({ id: 'Webhook' });
export type PortalWebhook = Wire<typeof webhook>;
export const portalWebhooks = z.array(webhook);
export const madeWebhook = z.object({ ...webhookShape, secret: z.string().meta({ description: 'Shown only once' }) });

const delivery = z
  .object({
    id: z.int(),
    event: z.string(),
    body: z.string(),
    state: z.enum(DELIVERY_STATES).meta({ description: '`failed`: no attempt succeeded; it can be repeated' }),
    attempts: z.int(),
    answer: z.string().nullable(),
    created_at: time,
    finished_at: time.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
export type PortalDelivery = Wire<typeof delivery>;
export const portalDeliveries = z.array(delivery);
