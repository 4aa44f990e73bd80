/** Stripe: charges, disputes, refunds, customers, subscriptions and invoices. */
import type { Integration } from '../integration';
import { entryOf, Payload, textAt } from '../payload';
import { formats } from './objects';

/** Intermediate steps of events that are reported, and changes of the catalogue. */
const IGNORED = new Set([
  'application_fee',
  'balance',
  'billing_portal',
  'capability',
  'cash_balance',
  'checkout',
  'coupon',
  'credit_note',
  'file',
  'invoice_payment',
  'issuing_authorization',
  'mandate',
  'payment_intent',
  'payment_link',
  'payment_method',
  'payout',
  'person',
  'plan',
  'price',
  'product',
  'promotion_code',
  'quote',
  'radar',
  'reporting',
  'review',
  'setup_intent',
  'source',
  'subscription_schedule',
  'tax',
  'tax_rate',
  'topup',
  'transfer',
]);

export const stripe: Integration = {
  name: 'stripe',
  client: 'ZulipStripeWebhook',
  deliveryId: (payload) => textAt(payload, 'id'),
  format({ payload }) {
    const event = new Payload(payload);
    const type = event.text('type');
    const [category = ''] = type.split('.', 1);
    if (IGNORED.has(category)) return null;
    const at = type.lastIndexOf('.');
    const format = entryOf(formats, type.slice(0, Math.max(0, at)), 'Stripe', type);
    const data = event.object('data');
    return format({ verb: type.slice(at + 1), object: data.object('object'), event, before: data });
  },
};
