/** Common parts of Stripe's objects: pages, amounts, customers, changed attributes. */
import type { Payload } from '../payload';
import { secondOf } from '../text';

export interface Happening {
  /** The last word of the event type. */
  readonly verb: string;
  readonly object: Payload;
  readonly event: Payload;
  /** Contains `previous_attributes` if something changed. */
  readonly before: Payload;
}

const DASHBOARD = 'https://dashboard.stripe.com';

export const linkTo = (words: string, kind: string, id: string): string => `[${words}](${DASHBOARD}/${kind}/${id})`;

export const said = (verb: string): string => verb.replaceAll('_', ' ');

/** The customer as the topic groups related events; objects without one use their kind. */
export const topicOf = (object: Payload, otherwise: string): string => object.textOr('customer', otherwise);

/** Currencies without a smaller unit, from Stripe's documentation. */
const WITHOUT_CENTS = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' '));

export function amountText(amount: string, currency: string): string {
  const value = Number(amount);
  const unit = currency.toLowerCase();
  const decimal = WITHOUT_CENTS.has(unit) ? String(value) : (value / 100).toFixed(2);
  const written = Number.isFinite(value) ? decimal : amount;
  return unit === 'usd' ? `$${written}` : `${written} ${currency.toUpperCase()}`;
}

/** Attributes with a time in seconds. */
const MOMENT = /(?:_at|_start|_end|_anchor|_date|^start|^created)$/;

/** One line per changed attribute. Values other than text are left out. */
export function changesText({ object, before }: Happening): string {
  const now = new Map(object.texts());
  return before
    .objectOr('previous_attributes')
    .keys()
    .sort()
    .flatMap((key) => {
      const value = now.get(key);
      if (value === undefined) return [];
      const words = said(key);
      const shown = MOMENT.test(key) ? secondOf(value) : said(value);
      return [`\n* ${words.charAt(0).toUpperCase()}${words.slice(1)} is now ${shown}`];
    })
    .join('');
}
