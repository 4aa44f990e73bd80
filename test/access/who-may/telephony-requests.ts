/** A valid request for every route of telephony, about one company's objects, built from the route's own parameters. */
import type { Answer } from '../../support/http/client';
import type { Person } from '../../api/telephony/people';
import type { RouteOfDocument, Schema } from '../routes';
import { filled, nextNumber, nextPhone, type CompanyThings } from './telephony-world';

type Fields = Readonly<Record<string, unknown>>;

const OURS = '+15550100001';

/** Valid values by name. A new route whose parameters have these names needs no entry. */
const SOUND: Readonly<Record<string, (things: CompanyThings, route: RouteOfDocument) => unknown>> = {
  city: () => 'Troy',
  contacts: () => ({ email: `new-${nextNumber()}@example.com` }),
  country: () => 'US',
  data: ({ extension_number: number }, { path }) =>
    path.includes('{extension_id}') ? { id: Number(number), name: 'Renamed' } : { id: nextNumber(), name: 'Desk' },
  description: () => 'changed',
  destination: () => ({ type: 'hangup' }),
  do_not_disturb: () => true,
  email: () => 'member@example.com',
  emails: () => ['desk@example.com'],
  first_name: () => 'New',
  from_number: () => OURS,
  id: () => nextNumber(),
  ids: ({ listed_message: id }) => id,
  is_read: () => true,
  keep_days: () => 3000,
  last_name: () => 'Person',
  main_status: () => ({ status: 'busy' }),
  messagesIds: ({ message_id: id }) => [id],
  name: () => 'Shed',
  number: ({ optout_number: number }, { method }) => (method === 'DELETE' ? number : nextPhone()),
  pin: () => true,
  recipients: () => [{ number: nextPhone() }],
  state: () => 'NY',
  text: () => 'hello',
  to: () => nextPhone(),
  zip: () => '12180',
};

/** Bodies that are not objects of parameters, or whose parameters depend on each other. */
const BY_HAND: Readonly<Record<string, (things: CompanyThings) => unknown>> = {
  'POST /instances/{instance_uuid}/ring-groups': () => ({ number: nextNumber(), name: 'Shed', members: ['101'] }),
  'POST /instances/{instance_uuid}/bulks/extensions/import': () => [{ data: { id: nextNumber(), name: 'Row' } }],
  'POST /fax/messages': ({ faxed_file: file }) => ({ to: '+15550107777', from: OURS, file }),
};

interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

const askedOf = ({ operation }: RouteOfDocument): Field[] =>
  (operation.parameters ?? []).filter(({ in: place }) => place === 'query');

function sentOf({ operation }: RouteOfDocument): Field[] {
  const [body] = Object.values(operation.requestBody?.content ?? {});
  const fields = Object.entries(body?.schema.properties ?? {});
  return fields.map(([name, schema]) => ({ name, schema, required: body?.schema.required?.includes(name) ?? false }));
}

/** The required parameters. If there are none, an update changes the first one it can, and a creation gets all. */
function chosen(fields: readonly Field[], { method }: RouteOfDocument): Field[] {
  const required = fields.filter((field) => field.required);
  if (required.length > 0 || method === 'GET') return required;
  const known = fields.filter(({ name }) => name in SOUND);
  return method === 'PATCH' ? known.slice(0, 1) : known;
}

const valuesOf = (fields: readonly Field[], things: CompanyThings, route: RouteOfDocument): Fields =>
  Object.fromEntries(chosen(fields, route).map(({ name }) => [name, SOUND[name]?.(things, route)]));

/** Required parameters without a valid value. Portal routes refuse every key before they read any parameter. */
export const unknownParameters = (routes: readonly RouteOfDocument[]): string[] =>
  routes
    .filter(({ name, path }) => !(name in BY_HAND) && !path.startsWith('/portal/'))
    .flatMap((route) =>
      [...askedOf(route), ...sentOf(route)]
        .filter(({ name, required }) => required && !(name in SOUND))
        .map(({ name }) => `${route.name}: ${name}`),
    );

/** A request that deletes an object comes after those that need it, a part before the whole. */
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

export const inOrder = (routes: readonly RouteOfDocument[]): RouteOfDocument[] => {
  const orderOf = ({ name, method }: RouteOfDocument) =>
    LAST.includes(name) ? 10 + LAST.indexOf(name) : METHODS.indexOf(method);
  return routes.toSorted((a, b) => orderOf(a) - orderOf(b));
};

/** The second version of a path uses another conversation. */
const thingsAt = (path: string, things: CompanyThings): CompanyThings => {
  if (!path.includes('/v2/')) return things;
  const own = Object.entries(things).filter(([name]) => name.startsWith('v2_'));
  return { ...things, ...Object.fromEntries(own.map(([name, id]) => [name.slice('v2_'.length), id])) };
};

export function askCompany(by: Person, route: RouteOfDocument, all: CompanyThings): Promise<Answer> {
  const { name, method, path: template } = route;
  const things = thingsAt(template, all);
  const path = template.replace(/\{(\w+)\}/g, (_, part: string) => things[part] ?? part);
  const query = new URLSearchParams(valuesOf(askedOf(route), things, route) as Record<string, string>).toString();
  const address = query === '' ? path : `${path}?${query}`;
  const sent = sentOf(route);
  const isFile = sent.some(({ schema }) => schema.format === 'binary');
  if (isFile) return by(method, address, undefined, { raw: filled() });
  const body = BY_HAND[name] ? BY_HAND[name](things) : valuesOf(sent, things, route);
  return by(method, address, sent.length > 0 || BY_HAND[name] ? body : undefined);
}
