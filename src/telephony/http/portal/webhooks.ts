/** Portal routes of the company's webhooks. Only the owner may use them. */
import { z } from 'zod';
import { integer } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import type { Storage } from '../../../kernel/kernel';
import {
  createWebhook,
  deleteWebhook,
  replayDeliveries,
  rotateSecret,
  tryWebhook,
  updateWebhook,
} from '../../commands/portal/change-webhooks';
import {
  doneAnswer,
  madeWebhook,
  portalDeliveries,
  portalWebhooks,
  replayedDeliveries,
  rotatedSecret,
} from '../../model/answers/portal';
import type { Caller } from '../../model/contacts/contact';
import { notOwner } from '../../model/faults';
import {
  DELIVERY_STATES,
  MAX_OVERLAP_HOURS,
  MAX_REPLAYED,
  noDelivery,
  notPublic,
  noWebhook,
  OVERLAP_HOURS,
  tooManyWebhooks,
  WEBHOOK_EVENTS,
} from '../../model/portal/company-webhook';
import type { Telephony } from '../../parts';
import { listDeliveries, listWebhooks, webhookObject } from '../../queries/portal/lists';
import { done } from './wire-format';

const { get, post, patch, del } = routesFor<Caller>();

const events = z.array(z.enum(WEBHOOK_EVENTS)).max(WEBHOOK_EVENTS.length);
const url = z.string().max(500).trim();
const REFUSES = [notOwner(), noWebhook()];

export const webhookRoutes = (telephony: Storage & Pick<Telephony, 'outbound'>) => [
  get('/webhooks', {
    summary: "List your company's webhooks; owner only",
    answer: portalWebhooks,
    refuses: [notOwner()],
    run: ({ kernel, by }) => listWebhooks(kernel.mysql, by),
  }),
  post('/webhooks', {
    summary: "Add a webhook that posts your company's events to an address; owner only",
    answer: madeWebhook,
    refuses: [notOwner(), tooManyWebhooks(), notPublic()],
    status: 201,
    params: { url, events: events.default([]) },
    async run({ by, params }) {
      const { webhook, secret } = await createWebhook(telephony, by, {
        ...params,
        events: [...new Set(params.events)],
      });
      return { ...webhookObject(webhook), secret };
    },
  }),
  patch('/webhooks/:webhook_id', {
    summary: 'Change a webhook, or switch it on or off; owner only',
    answer: doneAnswer,
    refuses: [...REFUSES, notPublic()],
    params: { url: url.optional(), events: events.optional(), active: z.boolean().optional() },
    run: ({ by, params: { webhook_id: id, active: isActive, ...wanted } }) => {
      const chosen = wanted.events && [...new Set(wanted.events)];
      return done(updateWebhook(telephony, by, id, { url: wanted.url, events: chosen, isActive }));
    },
  }),
  post('/webhooks/:webhook_id/secret', {
    summary: 'Replace the secret of a webhook, which is shown only once; owner only',
    answer: rotatedSecret,
    refuses: REFUSES,
    params: {
      overlap_hours: z
        .int()
        .min(0)
        .max(MAX_OVERLAP_HOURS)
        .default(OVERLAP_HOURS)
        .meta({ description: 'For how long events are signed with the previous secret as well' }),
    },
    async run({ kernel, by, params: { webhook_id: id, overlap_hours: hours } }) {
      const { secret, previousEndsAt } = await rotateSecret(kernel, by, id, hours);
      return { secret, previous_secret_ends_at: previousEndsAt?.toISOString() ?? null };
    },
  }),
  del('/webhooks/:webhook_id', {
    summary: 'Delete a webhook; owner only',
    answer: doneAnswer,
    refuses: REFUSES,
    run: ({ kernel, by, params }) => done(deleteWebhook(kernel.transaction, by, params.webhook_id)),
  }),
  post('/webhooks/:webhook_id/test', {
    summary: 'Post a test event to a webhook; owner only',
    answer: doneAnswer,
    refuses: REFUSES,
    run: ({ kernel, by, params }) => done(tryWebhook(kernel.transaction, by, params.webhook_id)),
  }),
  get('/webhooks/:webhook_id/deliveries', {
    summary: 'List the last hundred deliveries of a webhook, newest first; owner only',
    answer: portalDeliveries,
    refuses: REFUSES,
    isExpensive: true,
    params: { state: z.enum(DELIVERY_STATES).optional() },
    run: ({ kernel, by, params: { webhook_id: webhookId, state } }) =>
      listDeliveries(kernel.mysql, by, { webhookId, state }),
  }),
  post('/webhooks/:webhook_id/deliveries/replay', {
    summary: 'Repeat finished deliveries; owner only',
    answer: replayedDeliveries,
    refuses: [...REFUSES, noDelivery()],
    params: { delivery_ids: z.array(z.int()).min(1).max(MAX_REPLAYED) },
    async run({ kernel, by, params: { webhook_id: webhookId, delivery_ids: ids } }) {
      return { replayed: await replayDeliveries(kernel.transaction, by, { webhookId, ids }) };
    },
  }),
  post('/webhooks/:webhook_id/deliveries/:delivery_id/replay', {
    summary: 'Repeat a finished delivery; owner only',
    answer: doneAnswer,
    refuses: [...REFUSES, noDelivery()],
    params: { delivery_id: integer },
    run: ({ kernel, by, params: { webhook_id: webhookId, delivery_id: id } }) =>
      done(replayDeliveries(kernel.transaction, by, { webhookId, ids: [id] })),
  }),
];
