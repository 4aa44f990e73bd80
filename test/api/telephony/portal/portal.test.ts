import { createCompany } from '../../../../src/telephony/commands/companies/change-companies';
import type { Answer } from '../../../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { startMailServer, type MailServer } from '../../../support/servers/mail-server';
import { cookieOf, pageOf, type TestPage } from '../../../support/http/pages';
import { until } from '../../../support/until';
import { startWorkers } from '../../../support/kernel/workers';
import { cliOf } from '../../cli/run';
import { openPeople, type People } from '../people';

const SESSION = '/portal/api/session';
const KEYS = '/portal/api/keys';
const GOOD = 'seven quiet herons at dusk';

let cluster: Cluster;
let node: TestNode;
let mail: MailServer;
let people: People;

beforeAll(async () => {
  mail = await startMailServer();
  const smtp = { SMTP_URL: mail.url, MAIL_FROM: 'Portal <portal@example.com>' };
  cluster = await openCluster({ RATE_LIMIT: 'off', LOGIN_LIMIT: 'off', PASSWORD_RESET_LIMIT: 'off', ...smtp });
  await cluster.seed();
  node = await cluster.node();
  people = await openPeople(node);
  await startWorkers(cluster, 'portal-mail');
});
afterAll(async () => {
  await cluster.close();
  await mail.close();
});

const signIn = (json: object, headers = {}): Promise<Answer> => node.call(SESSION, { json, headers });
const demo = async (id: string): Promise<TestPage> => pageOf(await signIn({ demo: id }));
const auditOf = async (action: string) =>
  (await people.owner('GET', `/company/audit?action=${action}`)).body as { detail: object; contact_id: string }[];
const refused = (status: number, type: string) => ({ status, body: { type, status } });

/** The token of the link in the newest mail to an address. */
async function mailedToken(address: string, count: number): Promise<string> {
  await until(() => mail.taken.filter(({ to }) => to.includes(address)).length >= count);
  const { text } = mail.taken.filter(({ to }) => to.includes(address)).at(-1)!;
  return /\/portal\/enter#(\w{43})/.exec(text)![1]!;
}

test('One-click sign-in to the portal works in development, and opens every telephony route without a key', async () => {
  const { body } = await node.call(SESSION);
  expect(body).toMatchObject({ signed_in: false, sends_mail: true });
  const olive = { id: people.ids.owner, name: 'Olive Owner', email: 'owner@example.com', company: 'Example Telecom' };
  expect(body.demo_contacts).toContainEqual(olive);
  const answer = await signIn({ demo: people.ids.member });
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^partyline_portal=\w{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^partyline_portal_device=[^;]+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/),
  ]);
  expect(answer.body).toMatchObject({ signed_in: true, is_owner: false, company: { name: 'Example Telecom' } });
  const page = pageOf(answer);
  expect((await page.call(node, '/system/account')).body).toMatchObject({ id: people.ids.member });
  expect(await page.call(node, '/company', { method: 'PATCH', json: { name: 'X' } })).toMatchObject({ status: 403 });
  const stored = JSON.stringify(await node.kernel.mysql('tel_sessions').select());
  expect(stored).not.toContain(page.cookie.split('=')[1]);
});

test('A production server hides demo contacts, and refuses them and published keys at sign-in', async () => {
  const secrets = { SECRET_KEY: 'a-secret-of-more-than-thirty-two-characters', PUBLIC_URL: 'https://tel.example.com' };
  const production = await cluster.node({ NODE_ENV: 'production', AUTH_METHODS: 'email,password', ...secrets });
  expect((await production.call(SESSION)).body).not.toHaveProperty('demo_contacts');
  expect(await production.call(SESSION, { json: { demo: people.ids.owner } })).toMatchObject({ status: 400 });
  expect(await production.call(SESSION, { json: { key: 'demo-key-one' } })).toMatchObject({ status: 401 });
});

test.each([
  ['no token', { 'X-Partyline-Token': '' }, 403, 'TOKEN_REQUIRED'],
  ['a wrong token', { 'X-Partyline-Token': 'x'.repeat(64) }, 403, 'TOKEN_REQUIRED'],
  ['another site', { 'Sec-Fetch-Site': 'cross-site' }, 403, 'OTHER_ORIGIN'],
  ['the origin of another host', { Origin: 'https://evil.example' }, 403, 'OTHER_ORIGIN'],
  ['a session of nobody', { Cookie: `partyline_portal=${'x'.repeat(43)}` }, 403, 'TOKEN_REQUIRED'],
  ['the cookie of the chat', { Cookie: `partyline_session=${'x'.repeat(43)}` }, 401, 'SESSION_ENDED'],
])('A request with %s is refused without a challenge', async (_, headers, status, type) => {
  const page = await demo(people.ids.owner);
  for (const path of ['/system/company', KEYS]) {
    const answer = await page.call(node, path, { headers });
    expect(answer).toMatchObject(refused(status, type));
    expect(answer.headers.get('www-authenticate')).toBeNull();
  }
});

test('Requests without a portal session get a 401 with a challenge', async () => {
  const answer = await node.call('/system/company');
  expect(answer).toMatchObject(refused(401, 'about:blank'));
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="telephony"');
  expect(await people.owner('GET', KEYS)).toMatchObject(refused(401, 'SESSION_ENDED'));
});

test('A mailed link opens one session, lets its holder choose a password, and the password signs in from then on', async () => {
  expect(await node.call('/portal/api/entry-links', { json: { email: 'nobody@example.com' } })).toMatchObject({
    status: 200,
  });
  await node.call('/portal/api/entry-links', { json: { email: ' Member@Example.com' } });
  const token = await mailedToken('member@example.com', 1);
  expect(mail.taken.map(({ to }) => to)).toEqual([['member@example.com']]);
  expect(mail.taken[0]!.header).toContain('Subject: Sign in to the telephony portal');
  expect(mail.taken[0]!.html).toMatch(
    /<a class="button" href="[^"]*\/portal\/enter#\w{43}">Sign in to Example Telecom<\/a>/,
  );
  const opened = await signIn({ link: token });
  expect(opened.body).toMatchObject({ signed_in: true, email: 'member@example.com', has_password: false });
  expect(await signIn({ link: token })).toMatchObject(refused(400, 'LINK_USED'));
  const page = pageOf(opened);
  const other = await demo(people.ids.member);
  const put = (json: object) => page.call(node, '/portal/api/password', { method: 'PUT', json });
  expect(await put({ new_password: 'member1' })).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/^new_password: /) },
  });
  expect(await put({ new_password: GOOD })).toMatchObject({ status: 200 });
  expect(await other.call(node, '/system/account')).toMatchObject(refused(401, 'SESSION_ENDED'));
  expect(await page.call(node, '/system/account')).toMatchObject({ status: 200 });
  const known = pageOf(await signIn({ email: 'MEMBER@example.com', password: GOOD }));
  const change = { method: 'PUT', json: { old_password: 'wrong', new_password: `${GOOD} again` } };
  expect(await known.call(node, '/portal/api/password', change)).toMatchObject({ status: 400 });
  for (const password of ['wrong', '']) {
    expect(await signIn({ email: 'member@example.com', password })).toMatchObject(refused(401, 'BAD_CREDENTIALS'));
  }
  expect(await signIn({ email: 'owner@example.com', password: GOOD })).toMatchObject(refused(401, 'BAD_CREDENTIALS'));
  const ways = (await auditOf('session.open')).map(({ detail }) => (detail as { opened_by: string }).opened_by);
  expect(ways).toEqual(expect.arrayContaining(['password', 'link', 'demo']));
});

test('A person who is a contact of two companies chooses one of them', async () => {
  const owner = { email: 'member@example.com', firstName: 'Max', lastName: 'Elsewhere' };
  const { id, ownerId } = await createCompany(node.kernel, { name: 'Third', email: owner.email, owner });
  const [row] = await node.kernel.mysql('tel_passwords').where({ contact_id: people.ids.member });
  await node.kernel.mysql('tel_passwords').insert({ ...row, contact_id: ownerId });
  const login = { email: owner.email, password: GOOD };
  const { body } = await signIn(login);
  expect(body.signed_in).toBe(false);
  expect(body.companies.map(({ name }: { name: string }) => name).sort()).toEqual(['Example Telecom', 'Third']);
  expect((await signIn({ ...login, company_id: id })).body).toMatchObject({
    signed_in: true,
    company: { name: 'Third' },
  });
});

test('The first owner signs in by a link from the command line, and an invited contact by the link in the answer', async () => {
  const cli = cliOf(cluster.environment);
  const invited = await cli(['company', 'invite', 'Other Telecom', '--json']);
  expect(invited.json).toMatchObject({
    email: 'owner@other.example',
    link: expect.stringMatching(/\/portal\/enter#\w{43}$/),
  });
  expect((await signIn({ link: invited.json.link.split('#')[1] })).body).toMatchObject({ is_owner: true });
  const unknown = await cli(['company', 'invite', 'Other Telecom', '--email', 'nobody@other.example']);
  expect(unknown.code).toBe(1);

  const owner = await demo(people.ids.owner);
  const json = { first_name: 'Ines', work_email: 'ines@example.com' };
  const { body } = await owner.call(node, '/company/contacts', { json });
  const letter = { method: 'POST', json: {} };
  expect(await owner.call(node, `/portal/api/contacts/${body.id}/letters`, letter)).toMatchObject({ status: 200 });
  const entered = await signIn({ link: body.invitation.token });
  expect(entered.body).toMatchObject({ email: 'ines@example.com', is_owner: false });
  const contact = (await pageOf(entered).call(node, '/system/account')).body;
  expect(contact.invitation.status).toBe('accepted');
  expect(await signIn({ link: body.invitation.token })).toMatchObject(refused(400, 'LINK_USED'));
  expect((await signIn({ link: await mailedToken('ines@example.com', 1) })).status).toBe(200);
  const member = pageOf(entered);
  expect(await member.call(node, `/portal/api/contacts/${body.id}/letters`, letter)).toMatchObject({ status: 403 });
});

test('A contact lists and ends sessions, and a disabled contact has none', async () => {
  const [here, there] = [await demo(people.ids.owner), await demo(people.ids.owner)];
  const sessions = (await here.call(node, '/portal/api/sessions')).body as { id: number; current: boolean }[];
  expect(sessions.filter(({ current }) => current)).toHaveLength(1);
  const theirs = (await there.call(node, '/portal/api/sessions')).body as typeof sessions;
  const { id } = theirs.find(({ current }) => current)!;
  const member = await demo(people.ids.member);
  const end = { method: 'DELETE' };
  expect(await member.call(node, `/portal/api/sessions/${id}`, end)).toMatchObject({ status: 404 });
  expect(await here.call(node, `/portal/api/sessions/${id}`, end)).toMatchObject({ status: 200 });
  expect(await there.call(node, '/system/account')).toMatchObject(refused(401, 'SESSION_ENDED'));
  const out = await here.call(node, SESSION, end);
  expect(cookieOf(out)).toBe('partyline_portal=');
  expect((await here.call(node, SESSION)).body).toMatchObject({ signed_in: false });
  await people.owner('PATCH', `/company/contacts/${people.ids.member}`, { activated: false });
  expect(await member.call(node, '/system/account')).toMatchObject(refused(401, 'SESSION_ENDED'));
  await people.owner('PATCH', `/company/contacts/${people.ids.member}`, { activated: true });
});

describe('Addresses that only look alike', () => {
  const LOOK_ALIKE = 'ｏwner@example.com';
  const ids: Record<string, string> = {};

  /** The companies of the newest mail to an address. */
  const companiesIn = (address: string): string[] => {
    const { text } = mail.taken.filter(({ to }) => to.includes(address)).at(-1)!;
    return [...text.matchAll(/^(.+):\n\S+\/portal\/enter#/gm)].map(([, name]) => name!).sort();
  };
  const mailsTo = (address: string) => mail.taken.filter(({ to }) => to.includes(address)).length;

  beforeAll(async () => {
    const spellings = { 'Look-alike': LOOK_ALIKE, Capitals: 'OWNER@example.com', Second: 'owner@example.com' };
    for (const [name, workEmail] of Object.entries(spellings)) {
      const owner = { email: 'owner@example.com', firstName: name, lastName: '' };
      const { ownerId } = await createCompany(node.kernel, { name, email: owner.email, owner });
      // Earlier releases allowed every spelling.
      await node.kernel.mysql('tel_contacts').where({ id: ownerId }).update({ work_email: workEmail });
      ids[name] = ownerId;
    }
  });

  test('Each stored address gets a mail of its own, with the links of its own companies', async () => {
    await node.call('/portal/api/entry-links', { json: { email: 'Owner@Example.com' } });
    await until(() => mailsTo('owner@example.com') === 1 && mailsTo('OWNER@example.com') === 1);
    expect(companiesIn('owner@example.com')).toEqual(['Example Telecom', 'Second']);
    expect(companiesIn('OWNER@example.com')).toEqual(['Capitals']);
    expect(mailsTo(LOOK_ALIKE)).toBe(0);
    await node.call('/portal/api/entry-links', { json: { email: LOOK_ALIKE } });
    const token = await mailedToken(LOOK_ALIKE, 1);
    expect(companiesIn(LOOK_ALIKE)).toEqual(['Look-alike']);
    expect((await signIn({ link: token })).body).toMatchObject({ signed_in: true, company: { name: 'Look-alike' } });
    const all = mail.taken.flatMap(({ to }) => to).filter((to) => /owner@example\.com|ｏ/i.test(to));
    expect(all.toSorted()).toEqual(['OWNER@example.com', 'owner@example.com', LOOK_ALIKE]);
  });

  test('A password signs in with the address of its contact, and not with what looks like it', async () => {
    const [row] = await node.kernel.mysql('tel_passwords').where({ contact_id: people.ids.member });
    await node.kernel.mysql('tel_passwords').insert({ ...row, contact_id: ids['Look-alike'] });
    const own = await signIn({ email: LOOK_ALIKE, password: GOOD });
    expect(own.body).toMatchObject({ signed_in: true, email: LOOK_ALIKE });
    expect(await signIn({ email: 'owner@example.com', password: GOOD })).toMatchObject(refused(401, 'BAD_CREDENTIALS'));
    for (const email of ['ｍember@example.com', 'member\u200b@example.com']) {
      expect(await signIn({ email, password: GOOD })).toMatchObject(refused(401, 'BAD_CREDENTIALS'));
    }
  });

  test('The command company invite makes a link for exactly the address that it is given', async () => {
    const cli = cliOf(cluster.environment);
    const invite = (email: string) => cli(['company', 'invite', 'Look-alike', '--email', email, '--json']);
    expect((await invite(LOOK_ALIKE)).json).toMatchObject({ email: LOOK_ALIKE });
    expect(await invite('owner@example.com')).toMatchObject({ code: 1 });
  });
});
