/** Portal routes of the company's webhooks. Only the owner may use them. */
import { z } from 'zod';
import { integer } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import type { Storage } from '../../../kernel/kernel';
import {
  createWebhook,
  deleteWebhook,
  replayDelivery,
  switchWebhook,
  tryWebhook,
} from '../../commands/portal/change-webhooks';
import { doneAnswer, madeWebhook, portalDeliveries, portalWebhooks } from '../../model/answers/portal';
import type { Caller } from '../../model/contacts/contact';
import { notOwner } from '../../model/faults';
import { noDelivery, notPublic, noWebhook, tooManyWebhooks, WEBHOOK_EVENTS } from '../../model/portal/company-webhook';
import type { Telephony } from '../../parts';
import { listDeliveries, listWebhooks, webhookObject } from '../../queries/portal/lists';
import { done } from './wire-format';

const { get, post, patch, del } = routesFor<Caller>();

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
    params: {
      url: z.string().max(500),
      events: z.array(z.enum(WEBHOOK_EVENTS)).max(WEBHOOK_EVENTS.length).default([]),
    },
    async run({ by, params: { url, events } }) {
      const { webhook, secret } = await createWebhook(telephony, by, { url: url.trim(), events: [...new Set(events)] });
      return { ...webhookObject(webhook), secret };
    },
  }),
  patch('/webhooks/:webhook_id', {
    summary: 'Switch a webhook on or off; owner only',
    answer: doneAnswer,
    refuses: REFUSES,
    params: { active: z.boolean() },
    run: ({ kernel, by, params }) => done(switchWebhook(kernel, by, params.webhook_id, params.active)),
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
    run: ({ kernel, by, params }) => listDeliveries(kernel.mysql, by, params.webhook_id),
  }),
  post('/webhooks/:webhook_id/deliveries/:delivery_id/replay', {
    summary: 'Repeat a finished delivery; owner only',
    answer: doneAnswer,
    refuses: [...REFUSES, noDelivery()],
    params: { delivery_id: integer },
    run: ({ kernel, by, params: { webhook_id: webhookId, delivery_id: id } }) =>
      done(replayDelivery(kernel.transaction, by, { webhookId, id })),
  }),
];
