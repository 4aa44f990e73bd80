import { closeSockets, enter, openSocket } from '../../../support/http/sockets';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { operator, type OperatorClient } from '../../../support/operators';
import { pageOf, type TestPage } from '../../../support/http/pages';
import { openPeople, type People } from '../people';

const SESSION = '/portal/api/session';
const TEMPLATES = '/portal/api/text-templates';
const ENDED = { status: 401, body: { type: 'SESSION_ENDED' } };
const REFUSED = { status: 401, body: { type: 'BAD_CREDENTIALS' } };
const GOOD = 'seven quiet herons at dusk';

let cluster: Cluster;
let node: TestNode;
let people: People;
let full: OperatorClient;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', LOGIN_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  people = await openPeople(node);
  full = await operator(node.kernel, node, 'ada', 'full');
});
afterAll(async () => {
  closeSockets();
  await cluster.close();
});

const signIn = (json: object) => node.call(SESSION, { json });
const demo = async (id: string): Promise<TestPage> => pageOf(await signIn({ demo: id }));
const ticketOf = async (page: TestPage): Promise<string> =>
  (await page.call(node, '/portal/api/socket-ticket', { json: {} })).body.ticket as string;

/** A new contact, signed in, with an open socket. */
async function newcomer(name: string) {
  const json = { first_name: name, work_email: `${name}@example.com` };
  const { body } = await people.owner('POST', '/company/contacts', json);
  const page = await demo(body.id);
  const ticket = await ticketOf(page);
  const socket = await enter(node.url, { token: ticket });
  const ended = async () => {
    await socket.next('unauthorized');
    expect(await page.call(node, '/system/account')).toMatchObject(ENDED);
    const late = openSocket(node.url);
    late.emit('authenticate', { token: ticket });
    await late.next('unauthorized');
  };
  return { id: body.id as string, email: json.work_email, page, ended };
}

describe('Ends of sessions and sockets', () => {
  test('A session and its sockets end when the contact is disabled, and stay ended when the contact is enabled', async () => {
    const { id, page, ended } = await newcomer('disabled');
    const path = `/company/contacts/${id}`;
    await people.owner('PATCH', path, { activated: false });
    await ended();
    expect(await signIn({ demo: id })).toMatchObject(REFUSED);
    await people.owner('PATCH', path, { activated: true });
    expect(await page.call(node, '/system/account')).toMatchObject(ENDED);
  });

  test('A session and its sockets end when the contact is deleted', async () => {
    const { id, ended } = await newcomer('deleted');
    await people.owner('DELETE', `/company/contacts/${id}`);
    await ended();
    expect(await node.kernel.mysql('tel_sessions').where({ contact_id: id })).toEqual([]);
  });

  test('A session and its sockets end when the password is changed in another session', async () => {
    const { id, ended } = await newcomer('changed');
    const other = await demo(id);
    const json = { new_password: GOOD };
    expect((await other.call(node, '/portal/api/password', { method: 'PUT', json })).status).toBe(200);
    await ended();
    expect((await other.call(node, '/system/account')).status).toBe(200);
  });

  test('Sessions and sockets end when the company is deactivated, and nobody can sign in until it is reactivated', async () => {
    const { id, email, page, ended } = await newcomer('inactive');
    await page.call(node, '/portal/api/password', { method: 'PUT', json: { new_password: GOOD } });
    const owner = await demo(people.ids.owner);
    const { key } = (await owner.call(node, '/portal/api/keys', { json: { name: 'Door' } })).body;
    const invited = { first_name: 'Late', work_email: 'late@example.com' };
    const { invitation } = (await people.owner('POST', '/company/contacts', invited)).body;
    const { company_id: company } = await node.kernel.mysql('tel_contacts').where({ id }).first('company_id');
    await full.post(`/tenants/company/${company}/deactivate`);
    await ended();
    expect(await owner.call(node, '/portal/api/keys')).toMatchObject(ENDED);
    const ways = [{ demo: id }, { email, password: GOOD }, { key }, { link: invitation.token }];
    for (const way of ways) expect([way, (await signIn(way)).status]).toEqual([way, 401]);
    const { body } = await node.call(SESSION);
    expect(body.demo_contacts.map((each: { id: string }) => each.id)).not.toContain(id);
    await full.post(`/tenants/company/${company}/reactivate`);
    for (const way of ways) expect([way, (await signIn(way)).status]).toEqual([way, 200]);
  });

  test('A session ends with the key that opened it, as do the sockets that were opened with the key itself', async () => {
    const owner = await demo(people.ids.owner);
    const made = await owner.call(node, '/portal/api/keys', { json: { name: 'Short', ends_at: '2099-01-01' } });
    const { key } = made.body as { key: string };
    const page = pageOf(await signIn({ key }));
    const token = await ticketOf(page);
    await node.kernel.mysql.raw("UPDATE tel_keys SET ends_at = NOW(3) + INTERVAL 3 SECOND WHERE name = 'Short'");
    const sockets = [await enter(node.url, { token }), await enter(node.url, { token: key })];
    for (const socket of sockets) await socket.next('unauthorized');
    expect(await page.call(node, '/system/account')).toMatchObject(ENDED);
    expect(await signIn({ key })).toMatchObject(REFUSED);
    expect((await owner.call(node, '/system/account')).status).toBe(200);
  });
});

test('Text templates are shared by the people of a company, and no other company sees them', async () => {
  const [owner, member, stranger] = await Promise.all(
    [people.ids.owner, people.ids.member, people.ids.stranger].map(demo),
  );
  const post = (page: TestPage, text: string) => page.call(node, TEMPLATES, { json: { text } });
  const textsOf = async (page: TestPage) =>
    ((await page.call(node, TEMPLATES)).body as { text: string }[]).map(({ text }) => text);
  const first = await post(member!, ' We call you back 😀. ');
  expect(first).toMatchObject({ status: 201, body: { text: 'We call you back 😀.' } });
  expect((await post(owner!, 'Thank you!')).status).toBe(201);
  expect(await textsOf(owner!)).toEqual(['Thank you!', 'We call you back 😀.']);
  expect(await textsOf(stranger!)).toEqual([]);
  for (const text of ['', 'Thank you!', 'x'.repeat(1601)]) {
    expect(await post(owner!, text)).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^text: /) },
    });
  }
  const end = { method: 'DELETE' };
  const path = `${TEMPLATES}/${first.body.id}`;
  expect((await stranger!.call(node, path, end)).status).toBe(404);
  expect((await owner!.call(node, path, end)).status).toBe(200);
  expect(await textsOf(member!)).toEqual(['Thank you!']);
});
