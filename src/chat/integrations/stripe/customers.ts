/** Stripe customers, their subscriptions, and the account itself. */
import type { Notice } from '../integration';
import type { Payload } from '../payload';
import { changesText, linkTo, said, topicOf, type Happening } from './objects';

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
  const lines = [
    id === '' ? '' : `Plan: ${linkTo(name === '' ? id : name, 'plans', id)}`,
    object.has('quantity') ? `Quantity: ${object.text('quantity')}` : '',
    object.has('collection_method') ? `Billing method: ${said(object.text('collection_method'))}` : '',
  ];
  return lines
    .filter((line) => line !== '')
    .map((line) => `\n${line}`)
    .join('');
}

function account(happening: Happening): Notice | null {
  const changes = changesText(happening);
  if (happening.verb !== 'updated' || changes === '') return null;
  return { topic: 'account updates', content: `${linkTo('Account', 'account', '')} updated${changes}` };
}

/** A stored card, bank account or the like is not reported. */
const unremarkable = () => null;

export const customers = {
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
} as const;
