import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { openPeople, problem, type People } from './people';

let cluster: Cluster;
let node: TestNode;
let people: People;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  people = await openPeople(node);
});
afterAll(() => cluster.close());

const PATH = '/company/contacts';

describe('PATCH /company', () => {
  test('PATCH /company with another content type is refused, not treated as empty', async () => {
    const headers = { Authorization: 'Bearer demo-key-one', 'X-User-Id': 'primary' };
    const form = await node.call('/company', { method: 'PATCH', form: { '{"description":"x"}': '' }, headers });
    expect(form).toMatchObject({
      status: 400,
      body: { status: 400, detail: expect.stringContaining('application/json') },
    });
    const csv = { 'Content-Type': 'application/vnd.company+json', ...headers };
    expect((await node.call('/company', { method: 'PATCH', raw: '{"description":"x"}', headers: csv })).status).toBe(
      200,
    );
  });

  test('PATCH /company says in plain words which value is wrong', async () => {
    const { body } = await people.owner('GET', '/system/company/contacts?page=abc');
    expect(body.detail).toBe('page: must be a whole number');
    expect((await people.owner('PATCH', '/company', { name: '' })).body.detail).not.toMatch(/Invalid input|Too small/);
  });

  test('PATCH /company changes the given fields, nested ones too, and nothing else', async () => {
    const before = (await people.owner('GET', '/system/company')).body;
    const change = { phone: '+15550100001', revenue: 5, address: { city: 'Bonn', street: { name: 'Main' } } };
    const { status, body } = await people.owner('PATCH', '/company', change);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      phone: '+15550100001',
      revenue: 5,
      address: { ...before.address, city: 'Bonn', street: { name: 'Main', number: 0, type: '' } },
      updated: expect.any(String),
    });
    expect((await people.member('GET', '/system/company')).body).toEqual(body);
  });

  test('PATCH /company ignores fields that the owner cannot set', async () => {
    const before = (await people.owner('GET', '/system/company')).body;
    const forged = { id: 'x', employees: 99, status: 'gone', created: 'never', company_id: 'y', is_admin: true };
    const { status, body } = await people.owner('PATCH', '/company', forged);
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, updated: expect.any(String) });
  });

  test('PATCH /company gets 403 for a member and 400 for values that are not valid', async () => {
    expect(await people.member('PATCH', '/company', { name: 'Mine' })).toMatchObject(problem(403));
    for (const bad of [
      { name: '' },
      { email: 'nobody' },
      { revenue: 'much' },
      { address: 'here' },
      { affiliate: 'yes' },
    ]) {
      expect(await people.owner('PATCH', '/company', bad)).toMatchObject(problem(400));
    }
    expect(await people.owner('PATCH', '/company', { name: 'Other Telecom' })).toMatchObject(problem(400));
  });
});

describe('GET /company/audit', () => {
  test('GET /company/audit shows the owner who did what from where, newest first', async () => {
    const draft = { first_name: 'Nina', work_email: 'audited@example.com' };
    const { id } = (await people.owner('POST', PATH, draft)).body;
    await people.owner('PATCH', `${PATH}/${id}`, { title: 'x', first_name: 'Y' });
    const { status, headers, body } = await people.owner('GET', `/company/audit?object_id=${id}`);
    expect(status).toBe(200);
    expect(headers.get('x-pagination-total-count')).toBe('2');
    expect(body).toMatchObject([
      {
        action: 'contact.update',
        object_type: 'contact',
        object_id: id,
        contact_id: people.ids.owner,
        address: '127.0.0.1',
        detail: { fields: ['first_name', 'title'] },
      },
      { action: 'contact.create', detail: { work_email: 'audited@example.com' }, at: expect.any(String) },
    ]);
    expect(await people.member('GET', '/company/audit')).toMatchObject(problem(403));
    expect((await people.stranger('GET', '/company/audit')).body).toEqual([]);
  });
});
