/** What becomes of Stripe's objects: payments, customers, and what both have in common. */
import type { Notice } from '../integration';
import type { Payload } from '../payload';
import { secondOf } from '../text';

interface Happening {
  /** The last word of the event type. */
  readonly verb: string;
  readonly object: Payload;
  readonly event: Payload;
  /** Contains `previous_attributes` if something changed. */
  readonly before: Payload;
}

const DASHBOARD = 'https://dashboard.stripe.com';

const linkTo = (words: string, kind: string, id: string): string => `[${words}](${DASHBOARD}/${kind}/${id})`;

const said = (verb: string): string => verb.replaceAll('_', ' ');

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The customer as the topic groups related events; objects without one use their kind. */
const topicOf = (object: Payload, otherwise: string): string => object.textOr('customer', otherwise);

/** Currencies without a smaller unit, from Stripe's documentation. */
const WITHOUT_CENTS = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' '));

function amountOf(object: Payload, key = 'amount'): string {
  const [amount, currency] = [object.text(key), object.text('currency')];
  const value = Number(amount);
  const unit = currency.toLowerCase();
  const decimal = WITHOUT_CENTS.has(unit) ? String(value) : (value / 100).toFixed(2);
  const written = Number.isFinite(value) ? decimal : amount;
  return unit === 'usd' ? `$${written}` : `${written} ${currency.toUpperCase()}`;
}

/** Attributes with a time in seconds. */
const MOMENT = /(?:_at|_start|_end|_anchor|_date|^start|^created)$/;

/** One line per changed attribute. Values other than text are left out. */
function changesText({ object, before }: Happening): string {
  const now = new Map(object.texts());
  return before
    .objectOr('previous_attributes')
    .keys()
    .sort()
    .flatMap((key) => {
      const value = now.get(key);
      if (value === undefined) return [];
      const shown = MOMENT.test(key) ? secondOf(value) : said(value);
      return [`\n* ${capital(said(key))} is now ${shown}`];
    })
    .join('');
}

/** A payment without a card has another name, page and id prefix. */
const kindOf = (id: string): [string, string] =>
  id.startsWith('py_') ? ['payment', 'payments'] : ['charge', 'charges'];

function charge({ verb, object }: Happening): Notice {
  const id = object.text('id');
  const [word, page] = kindOf(id);
  const amount = amountOf(object);
  const code = object.textOr('failure_code', '');
  const why = code === '' ? '' : `. Failure code: ${code}`;
  return {
    topic: topicOf(object, 'charges'),
    content: `${linkTo(capital(word), page, id)} for ${amount} ${said(verb)}${why}`,
  };
}

function dispute({ verb, object }: Happening): Notice {
  const link = linkTo('Dispute', 'disputes', object.text('id'));
  return { topic: 'disputes', content: `${link} ${said(verb)}. Current status: ${said(object.text('status'))}.` };
}

function refund({ verb, object }: Happening): Notice {
  const id = object.text('charge');
  const amount = amountOf(object);
  const [word, page] = kindOf(id);
  return {
    topic: 'refunds',
    content: `A ${linkTo('refund', 'refunds', object.text('id'))} for a ${linkTo(word, page, id)} of ${amount} was ${said(verb)}.`,
  };
}

function invoice({ verb, object, before }: Happening): Notice | null {
  const link = linkTo('Invoice', 'invoices', object.textOr('id', 'upcoming'));
  const topic = topicOf(object, 'invoices');
  if (verb === 'upcoming') return { topic, content: `Upcoming ${linkTo('Invoice', 'customers', topic)}` };
  if (verb === 'updated') {
    const changed = before.objectOr('previous_attributes');
    const isNowPaid = object.textOr('status', '') === 'paid' && (changed.has('status') || changed.has('paid'));
    // Other changes are intermediate steps.
    return isNowPaid ? { topic, content: `${link} is now paid` } : null;
  }
  if (verb !== 'created') return { topic, content: `${link} ${said(verb)}` };
  const [total, due] = [amountOf(object, 'total'), amountOf(object, 'amount_due')];
  const reason = object.textOr('billing_reason', '');
  const why = reason === '' ? '' : ` (${said(reason)})`;
  return { topic, content: `${link} created${why}\nTotal: ${total}\nAmount due: ${due}` };
}

function invoiceItem({ verb, object }: Happening): Notice {
  const link = linkTo('Invoice item', 'invoiceitems', object.text('id'));
  const amount = amountOf(object);
  return { topic: topicOf(object, 'invoices'), content: `${link} ${said(verb)} for ${amount}` };
}

const DAY_SECONDS = 86_400;

function customer(happening: Happening): Notice | null {
  const { verb, object } = happening;
  const id = object.text('id');
  const head = `${linkTo('Customer', 'customers', id)} ${said(verb)}`;
  if (verb === 'updated') {
    const changes = changesText(happening);
    return changes === '' ? null : { topic: id, content: head + changes };
  }
  const email = verb === 'created' ? object.textOr('email', '') : '';
  return { topic: id, content: email === '' ? head : `${head}\nEmail: ${email}` };
}

function discount({ verb, object }: Happening): Notice {
  const coupon = object.object('coupon');
  // In older versions of Stripe's API, the other field is rounded.
  const percent = coupon.textOr('percent_off_precise', coupon.textOr('percent_off', ''));
  const words = percent === '' ? coupon.textOr('name', coupon.text('id')) : `${percent}% off`;
  const link = linkTo(words, 'coupons', coupon.text('id'));
  return { topic: topicOf(object, 'discounts'), content: `Discount ${said(verb)} (${link}).` };
}

function subscription(happening: Happening): Notice | null {
  const { verb, object, event } = happening;
  const topic = topicOf(object, 'subscriptions');
  const link = linkTo('Subscription', 'subscriptions', object.text('id'));
  if (verb === 'trial_will_end') {
    // Relative to the event, not to now, so that formatting is reproducible.
    const left = Number(object.text('trial_end')) - Number(event.text('created'));
    return { topic, content: `${link} trial will end in ${Math.ceil(left / DAY_SECONDS)} days` };
  }
  if (verb === 'updated') {
    const changes = changesText(happening);
    return changes === '' ? null : { topic, content: `${link} updated${changes}` };
  }
  return { topic, content: `${link} ${said(verb)}${verb === 'created' ? termsText(object) : ''}` };
}

function termsText(object: Payload): string {
  const plan = object.objectOr('plan');
  const id = plan.textOr('id', '');
  const name = plan.textOr('nickname', '');
  return [
    id === '' ? '' : `\nPlan: ${linkTo(name === '' ? id : name, 'plans', id)}`,
    object.has('quantity') ? `\nQuantity: ${object.text('quantity')}` : '',
    object.has('collection_method') ? `\nBilling method: ${said(object.text('collection_method'))}` : '',
  ].join('');
}

function account(happening: Happening): Notice | null {
  const changes = changesText(happening);
  if (happening.verb !== 'updated' || changes === '') return null;
  return { topic: 'account updates', content: `${linkTo('Account', 'account', '')} updated${changes}` };
}

/** A stored card, bank account or the like is not reported. */
const unremarkable = () => null;

/** By the part of the event type before the last dot. */
export const formats: Readonly<Record<string, (happening: Happening) => Notice | null>> = {
  charge,
  'charge.dispute': dispute,
  'charge.refund': refund,
  refund,
  invoice,
  invoiceitem: invoiceItem,
  customer,
  'customer.discount': discount,
  'customer.subscription': subscription,
  'customer.source': unremarkable,
  'customer.card': unremarkable,
  'customer.bank_account': unremarkable,
  'customer.tax_id': unremarkable,
  account,
  'account.application': unremarkable,
  'account.external_account': unremarkable,
};
