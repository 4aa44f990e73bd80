/** Payments at Stripe: charges, disputes, refunds, invoices. */
import type { Notice } from '../integration';
import { amountText, linkTo, said, topicOf, type Happening } from './objects';

/** A payment without a card has another name, page and id prefix. */
const kindOf = (id: string): [string, string] =>
  id.startsWith('py_') ? ['payment', 'payments'] : ['charge', 'charges'];

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function charge({ verb, object }: Happening): Notice {
  const id = object.text('id');
  const [word, page] = kindOf(id);
  const amount = amountText(object.text('amount'), object.text('currency'));
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
  const amount = amountText(object.text('amount'), object.text('currency'));
  const of = linkTo(...withId(id));
  return {
    topic: 'refunds',
    content: `A ${linkTo('refund', 'refunds', object.text('id'))} for a ${of} of ${amount} was ${said(verb)}.`,
  };
}

const withId = (id: string): [string, string, string] => [...kindOf(id), id];

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
  const [total, due] = ['total', 'amount_due'].map((key) => amountText(object.text(key), object.text('currency')));
  const reason = object.textOr('billing_reason', '');
  const why = reason === '' ? '' : ` (${said(reason)})`;
  return { topic, content: `${link} created${why}\nTotal: ${total}\nAmount due: ${due}` };
}

function invoiceItem({ verb, object }: Happening): Notice {
  const link = linkTo('Invoice item', 'invoiceitems', object.text('id'));
  const amount = amountText(object.text('amount'), object.text('currency'));
  return { topic: topicOf(object, 'invoices'), content: `${link} ${said(verb)} for ${amount}` };
}

export const payments = {
  charge,
  'charge.dispute': dispute,
  'charge.refund': refund,
  refund,
  invoice,
  invoiceitem: invoiceItem,
} as const;
