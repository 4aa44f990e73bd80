import { rotateKey } from '../../src/telephony/commands/companies/change-companies';
import { actAs, type Person } from '../api/telephony/people';
import { openTelephony, type TelephonyStack } from '../support/telephony/telephony';
import { until } from '../support/until';
import { routesOf, type RouteOfDocument } from './routes';
import { askCompany, inOrder, unknownParameters } from './who-may/telephony-requests';
import { COMPANY_MAY } from './who-may/telephony-table';
import { furnishCompany } from './who-may/telephony-world';

let stack: TelephonyStack;
let routes: RouteOfDocument[];
let open: string[];

beforeAll(async () => {
  stack = await openTelephony();
  const all = await routesOf(stack.node, 'telephony');
  routes = inOrder(all.filter(({ isOpen }) => !isOpen));
  open = all.filter(({ isOpen }) => isOpen).map(({ name }) => name);
});
afterAll(() => stack.close());

test('Every route of telephony is in the table of permissions', () => {
  expect(COMPANY_MAY.flatMap((row) => row.routes).sort()).toEqual(routes.map(({ name }) => name).sort());
  // These authenticate callers in another way, by signatures or emailed tokens, which other tests check.
  expect(open.sort()).toEqual([
    'GET /files/{file_id}/download/{name}',
    'GET /portal/api/session',
    'POST /invitations/accept',
    'POST /portal/api/entry-links',
    'POST /portal/api/session',
    'POST /webhooks/fax/{carrier}/{token}',
    'POST /webhooks/texting/{carrier}/{token}',
  ]);
});

test('A valid request of every telephony route can be derived from its parameters', () => {
  expect(unknownParameters(routes)).toEqual([]);
});

const callers: Readonly<Record<string, () => Person>> = {
  member: () => stack.people.member,
  primary: () => stack.people.owner,
  rival: () => stack.people.stranger,
};

test.each(Object.keys(callers))('A caller of the kind %s may do what the table says, and no more', async (kind) => {
  const things = await furnishCompany(stack);
  const by = callers[kind]!();
  const allowed: string[] = [];
  for (const route of routes) {
    const { status, text } = await askCompany(by, route, things);
    if (status >= 500) throw new Error(`${route.name}: ${status} ${text}`);
    if (kind === 'rival') expect(text).not.toContain('a secret');
    if (status < 400) allowed.push(route.name);
  }
  const expected = COMPANY_MAY.filter(({ who }) => who.split(' ').includes(kind)).flatMap((row) => row.routes);
  expect(allowed.sort()).toEqual([...expected].sort());
});

test('Every telephony route answers 401 without a key, to a wrong or former key, and without a valid user', async () => {
  const things = await furnishCompany(stack);
  const { node, people, cluster } = stack;
  const gone = await furnishCompany(stack);
  await people.owner('DELETE', `/company/contacts/${gone['contact_id']!}`);
  const bare: Person = (method, path, json, more = {}) =>
    node.call(path, { method, ...(json === undefined ? {} : { json }), ...more });
  const kernel = await cluster.kernel();
  const { id } = (await people.owner('GET', '/system/company')).body;
  const useless: Readonly<Record<string, Person>> = {
    nobody: bare,
    stranger: actAs(node, 'x'.repeat(40)),
    'a deleted contact': actAs(node, 'demo-key-one', gone['contact_id']),
    'a key with another company’s user': actAs(node, 'demo-key-two', people.ids.member),
  };
  const walk = async (who: string, by: Person) => {
    for (const route of routes) {
      const { status, text } = await askCompany(by, route, things);
      expect({ who, route: route.name, status }).toEqual({ who, route: route.name, status: 401 });
      expect(text).not.toContain('a secret');
    }
  };
  for (const [who, by] of Object.entries(useless)) await walk(who, by);
  // On another node, so this one is told of it.
  await rotateKey(kernel, id);
  await until(async () => (await people.owner('GET', '/system/company')).status === 401);
  await walk('a key that was replaced', actAs(node, 'demo-key-one'));
});
