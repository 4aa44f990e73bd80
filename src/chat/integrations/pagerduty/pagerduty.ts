/** PagerDuty: incidents, from all three webhook versions. */
import type { Integration, Notice } from '../integration';
import { Payload, textAt } from '../payload';
import { linkOf, sentenceOf, verbOf } from './incidents';
import { messageNotice } from './messages';

export const pagerduty: Integration = {
  name: 'pagerduty',
  client: 'ZulipPagerDutyWebhook',
  deliveryId: (payload) => textAt(payload, 'event', 'id') || textAt(payload, 'messages', '0', 'id'),
  format({ payload }) {
    const body = new Payload(payload);
    return body.has('messages') ? body.list('messages').map(messageNotice) : ofThird(body.object('event'));
  },
};

function ofThird(event: Payload): Notice | null {
  const kind = event.text('event_type');
  // Sent by PagerDuty's test button.
  if (kind === 'pagey.ping') return null;
  const verb = verbOf(kind);
  const data = event.object('data');
  const name = `${data.text('title')} (#${data.text('number')})`;
  const incident = {
    link: linkOf(data, name),
    source: linkOf(data.object('service')),
    assignees: data.listOr('assignees').map((each) => linkOf(each)),
    by: event.has('agent') ? linkOf(event.object('agent')) : '',
  };
  return { topic: `Incident ${name}`, content: `${sentenceOf(verb, incident)}.` };
}
