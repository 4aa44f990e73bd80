/** A sound request of every route of telephony, about the things of one company. */
import type { Answer } from '../../support/client';
import type { Person } from '../../api/telephony/people';
import { filled, nextNumber, nextPhone, type CompanyThings } from './telephony-world';

type Body = (things: CompanyThings) => unknown;

const OURS = '+15550100001';
const text: Body = () => ({ text: 'hello' });
const read: Body = ({ message_id: id }) => ({ messagesIds: [id] });
const ids: Body = ({ listed_message: id }) => ({ ids: [id] });
const status: Body = () => ({ main_status: { status: 'busy' } });
const conversation: Body = () => ({ recipients: [{ number: nextPhone() }] });
const extension: Body = () => ({ data: { id: nextNumber(), name: 'Desk' } });

/** The bodies of those that need one; the others send none. */
const BODIES: Readonly<Record<string, Body>> = {
  'PATCH /company': () => ({ description: 'changed' }),
  'POST /company/contacts': () => ({
    first_name: 'New',
    last_name: 'Person',
    contacts: { email: `new-${nextNumber()}@example.com` },
  }),
  'PATCH /company/contacts/{contact_id}': () => ({ title: 'Boss' }),
  'POST /company/locations': () => ({ name: 'Shed', country: 'US', state: 'NY', city: 'Troy', zip: '12180' }),
  'PATCH /company/locations/{location_id}': () => ({ name: 'Barn' }),
  'POST /instances/{instance_uuid}/bulks/extensions/check': () => ({
    email: 'member@example.com',
    id: nextNumber(),
  }),
  'POST /instances/{instance_uuid}/bulks/extensions': extension,
  'PUT /instances/{instance_uuid}/bulks/extensions/{extension_id}': ({ extension_number: number }) => ({
    data: { id: Number(number), name: 'Desk' },
  }),
  'PATCH /instances/{instance_uuid}/bulks/extensions/{extension_id}': () => ({ data: { name: 'Renamed' } }),
  'POST /instances/{instance_uuid}/bulks/extensions/import': () => [{ data: { id: nextNumber(), name: 'Row' } }],
  'POST /texting/conversations': conversation,
  'POST /texting/v2/conversations': conversation,
  'POST /texting/conversations/{conversation_id}/pin': () => ({ pin: true }),
  'POST /texting/v2/conversations/{conversation_id}/pin': () => ({ pin: true }),
  'POST /texting/conversations/{conversation_id}/messages': text,
  'POST /texting/conversations/{conversation_id}/messages/publish': text,
  'POST /texting/conversations/{conversation_id}/read': read,
  'DELETE /texting/conversations/{conversation_id}/messages': ids,
  'POST /texting/v2/conversations/{conversation_id}/messages': text,
  'POST /texting/v2/conversations/{conversation_id}/messages/publish': text,
  'POST /texting/v2/conversations/{conversation_id}/read': read,
  'DELETE /texting/v2/conversations/{conversation_id}/messages': ids,
  'POST /texting/contacts': () => ({ number: nextPhone(), first_name: 'Some' }),
  'PUT /texting/contacts/{texting_contact_id}': () => ({ number: nextPhone(), first_name: 'Other' }),
  'PATCH /texting/contacts/{texting_contact_id}': () => ({ first_name: 'Third' }),
  'POST /texting/optouts': () => ({ from_number: OURS, number: nextPhone() }),
  'POST /files': () => ({ name: 'x.txt' }),
  'POST /fax/messages': ({ faxed_file: file }) => ({ to: '+15550107777', from: OURS, file }),
  'PATCH /fax/messages/{fax_id}': () => ({ is_read: true }),
  'POST /fax/destinations': () => ({ emails: ['desk@example.com'] }),
  'PATCH /fax/destinations/{destination_id}': () => ({ emails: ['other@example.com'] }),
  'PATCH /status/current-user': status,
  'PATCH /status/v2/current-user': status,
};

/** What ends a thing comes after what needs it, the part before the whole. */
const LAST = [
  'GET /instances/{instance_uuid}/drift',
  'DELETE /texting/conversations/{conversation_id}/messages',
  'DELETE /texting/v2/conversations/{conversation_id}/messages',
  'DELETE /texting/conversations/{conversation_id}/messages/{message_id}',
  'DELETE /texting/v2/conversations/{conversation_id}/messages/{message_id}',
  'DELETE /texting/conversations/{conversation_id}',
  'DELETE /texting/v2/conversations/{conversation_id}',
];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export const inOrder = (routes: readonly string[]): string[] => {
  const orderOf = (route: string) =>
    LAST.includes(route) ? 10 + LAST.indexOf(route) : METHODS.indexOf(route.split(' ')[0]!);
  return [...routes].sort((a, b) => orderOf(a) - orderOf(b));
};

/** The second version of a path acts on a conversation of its own. */
const thingsAt = (path: string, things: CompanyThings): CompanyThings => {
  if (!path.includes('/v2/')) return things;
  const own = Object.entries(things).filter(([name]) => name.startsWith('v2_'));
  return { ...things, ...Object.fromEntries(own.map(([name, id]) => [name.slice('v2_'.length), id])) };
};

export function askCompany(by: Person, route: string, all: CompanyThings): Promise<Answer> {
  const [method = '', template = ''] = route.split(' ');
  const things = thingsAt(template, all);
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => things[name] ?? name);
  if (route === 'POST /files/{file_id}/upload') return by(method, path, undefined, { raw: filled() });
  if (route === 'DELETE /texting/optouts') {
    const query = new URLSearchParams({ from_number: OURS, number: things['optout_number'] ?? '' });
    return by(method, `${path}?${query.toString()}`);
  }
  return by(method, path, BODIES[route]?.(things));
}
