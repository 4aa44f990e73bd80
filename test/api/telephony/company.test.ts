import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { bearer } from '../../support/http/client';

let cluster: Cluster;
let node: TestNode;
let second: TestNode;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  node = await cluster.node();
  second = await cluster.node();
});
afterAll(() => cluster.close());

const company = (headers: Record<string, string>, at = node) => at.call('/system/company', { headers });
const problem = (status: number, title: string) => ({
  status,
  body: { type: 'about:blank', status, title, detail: expect.any(String) },
});

describe('GET /system/company', () => {
  test('GET /system/company returns every field of the specification, on both nodes', async () => {
    for (const each of [node, second]) {
      const { status, body } = await company(bearer('demo-key-one'), each);
      expect(status).toBe(200);
      expect(body).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        address: {
          address2: '',
          city: '',
          country: '',
          number: '',
          state: '',
          street: { name: '', number: 0, type: '' },
          zip: '',
        },
        affiliate: false,
        billing_email: '',
        created: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        description: '',
        email: 'owner@example.com',
        emergency_contact_number: '',
        employees: 2,
        fax: '',
        name: 'Example Telecom',
        onboarding: false,
        partner_id: '',
        phone: '',
        revenue: 0,
        status: 'active',
        updated: expect.any(String),
        website: '',
      });
    }
  });

  test('GET /system/company returns the company of the key, whichever contact the caller acts as', async () => {
    const [member] = await node.kernel.mysql('tel_contacts').where({ work_email: 'member@example.com' }).pluck('id');
    expect((await company(bearer('demo-key-one', member))).body.name).toBe('Example Telecom');
    expect((await company(bearer('demo-key-two'))).body).toMatchObject({ name: 'Other Telecom', employees: 1 });
  });
});

describe('Authentication', () => {
  test('A request without a valid key gets 401', async () => {
    const refused = await company({});
    expect(refused).toMatchObject(problem(401, 'Unauthorized'));
    expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="telephony"');
    expect(await company({ 'X-User-Id': 'primary' })).toMatchObject(problem(401, 'Unauthorized'));
    expect(await company(bearer('wrong'))).toMatchObject(problem(401, 'Unauthorized'));
    expect(await company({ Authorization: 'Basic ZGVtbw==', 'X-User-Id': 'primary' })).toMatchObject(
      problem(401, 'Unauthorized'),
    );
  });

  test('A request gets 401 if its X-User-Id names no contact of the company', async () => {
    const [foreign] = await node.kernel.mysql('tel_contacts').where({ work_email: 'owner@other.example' }).pluck('id');
    expect(await company({ Authorization: 'Bearer demo-key-one' })).toMatchObject(problem(401, 'Unauthorized'));
    expect(await company(bearer('demo-key-one', foreign))).toMatchObject(problem(401, 'Unauthorized'));
    expect(await company(bearer('demo-key-one', "' OR 1=1 --"))).toMatchObject(problem(401, 'Unauthorized'));
  });

  test('API keys are not stored in clear text', async () => {
    expect(JSON.stringify(await node.kernel.mysql('tel_keys').select())).not.toContain('demo-key');
  });
});
