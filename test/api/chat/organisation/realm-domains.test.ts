import { refusal } from '../../../support/chat/people';
import { userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let guest: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  [owner, guest] = [await userOf(node, 'owner'), await userOf(node, 'guest')];
});
afterAll(() => cluster.close());
afterEach(async () => {
  await node.kernel.mysql('chat_realm_domains').delete();
});

const add = (domain: string, allow_subdomains = false) => owner.post('/realm/domains', { domain, allow_subdomains });
const domains = async () => (await guest.get('/realm/domains')).body.domains;
const DONE = { status: 200, body: { result: 'success', msg: '' } };

describe('Domains of an organisation', () => {
  test('Domains are added, changed and removed, and each change is published in order', async () => {
    const listen = await guest.listen(['realm_domains']);
    const added = await add(' Example.ORG ');
    expect(added).toMatchObject({ ...DONE, body: { new_domain: [expect.any(Number), 'example.org'] } });
    expect(await domains()).toEqual([{ domain: 'example.org', allow_subdomains: false }]);
    expect(await owner.patch('/realm/domains/Example.org', { allow_subdomains: true })).toMatchObject(DONE);
    expect(await domains()).toEqual([{ domain: 'example.org', allow_subdomains: true }]);
    expect(await owner.del('/realm/domains/example.org')).toMatchObject(DONE);
    expect(await domains()).toEqual([]);
    const type = 'realm_domains';
    expect(await listen()).toEqual([
      { type, op: 'add', realm_domain: { domain: 'example.org', allow_subdomains: false } },
      { type, op: 'change', realm_domain: { domain: 'example.org', allow_subdomains: true } },
      { type, op: 'remove', domain: 'example.org' },
    ]);
  });

  test('Registration returns the domains of the organisation', async () => {
    await add('example.org', true);
    const { body } = await guest.post('/register', { fetch_event_types: ['realm_domains'] });
    expect(body.realm_domains).toEqual([{ domain: 'example.org', allow_subdomains: true }]);
  });

  test('Only administrators can change the domains of an organisation', async () => {
    const member = await userOf(node, 'member');
    const onlyAdmins = refusal('Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' });
    expect(await member.post('/realm/domains', { domain: 'a.org', allow_subdomains: true })).toMatchObject(onlyAdmins);
    expect(await member.patch('/realm/domains/a.org', { allow_subdomains: true })).toMatchObject(onlyAdmins);
    expect(await member.del('/realm/domains/a.org')).toMatchObject(onlyAdmins);
  });

  test.each([
    ['', 'Invalid domain: it is empty'],
    ['localhost', 'Invalid domain: it has no dot'],
    ['.example.org', 'Invalid domain: it has a dot at an end, or two in a row'],
    ['example..org', 'Invalid domain: it has a dot at an end, or two in a row'],
    ['-example.org', 'Invalid domain: a part of it has a "-" at an end'],
    ['exämple.org', 'Invalid domain: it has something other than letters, digits, "." and "-"'],
    [`${'a'.repeat(252)}.org`, 'Invalid domain: it is longer than 255 characters'],
  ])('The domain %j is refused', async (domain, message) => {
    expect(await add(domain)).toMatchObject(refusal(message));
  });

  test('A duplicate domain is refused, and an unknown domain cannot be changed', async () => {
    const unknown = refusal('No entry found for domain example.com.');
    expect(await owner.patch('/realm/domains/example.com', { allow_subdomains: true })).toMatchObject(unknown);
    expect(await owner.del('/realm/domains/example.com')).toMatchObject(unknown);
    await add('example.com');
    expect(await add('EXAMPLE.com')).toMatchObject(
      refusal('The domain example.com is already a part of your organization.'),
    );
  });

  test('An organisation has at most 500 domains', async () => {
    const rows = Array.from({ length: 500 }, (_, at) => ({ realm_id: 1, domain: `d${at}.org` }));
    await node.kernel.mysql('chat_realm_domains').insert(rows);
    expect(await add('one-more.org')).toMatchObject(refusal('An organization has at most 500 domains.'));
  });
});

describe('Addresses restricted to domains', () => {
  let people = 0;
  const join = (email: string) =>
    owner.post('/users', { email, password: 'plain words of nobody', full_name: `Somebody ${(people += 1)}` });
  const restrict = (value: boolean) => owner.patch('/realm', { emails_restricted_to_domains: value });

  test('An organisation that restricts email domains refuses users with other addresses', async () => {
    await add('example.org');
    await add('example.net', true);
    await restrict(true);
    const foreign = (email: string) => refusal(`Email '${email}' not allowed in this organization`);
    expect(await join('ada@example.org')).toMatchObject(DONE);
    expect(await join('ada@EXAMPLE.net')).toMatchObject(DONE);
    expect(await join('ada@sub.example.net')).toMatchObject(DONE);
    expect(await join('ada@sub.example.org')).toMatchObject(foreign('ada@sub.example.org'));
    expect(await join('ada@notexample.net')).toMatchObject(foreign('ada@notexample.net'));
    expect(await join('ada+1@example.org')).toMatchObject(refusal('Email addresses containing + are not allowed.'));
    await restrict(false);
    expect(await join('ada@anywhere.example')).toMatchObject(DONE);
  });

  test('Removing the last domain first turns off the restriction of email domains', async () => {
    await add('example.org');
    await restrict(true);
    const listen = await guest.listen(['realm', 'realm_domains']);
    await owner.del('/realm/domains/example.org');
    expect(await listen()).toEqual([
      { type: 'realm', op: 'update', property: 'emails_restricted_to_domains', value: false },
      { type: 'realm_domains', op: 'remove', domain: 'example.org' },
    ]);
    expect(await join('bob@anywhere.example')).toMatchObject(DONE);
  });
});
