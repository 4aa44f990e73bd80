import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { INSTANCE_ONE, INSTANCE_TWO, openPeople, problem, type People } from './people';

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

const PATH = '/company/locations';
const draft = { name: 'Branch', country: 'US', state: 'CA', city: 'Oakland', zip: '94601' };

describe('Locations', () => {
  test('Every company has a location, with the fields of the specification', async () => {
    const { status, body } = await people.member('GET', PATH);
    expect(status).toBe(200);
    expect(body).toHaveLength(1);
    expect(body[0]).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      address2: '',
      building: { type: '', value: '' },
      name: 'Main office',
      country: '',
      state: '',
      city: '',
      zip: '',
      callerid: '',
      pbx_id: INSTANCE_ONE,
      street: { name: '', number: 0, type: '' },
    });
  });

  test('POST of a location gets 201 for the owner, 403 for a member, and 400 for bad values or another company', async () => {
    const company = (await people.owner('GET', '/system/company')).body;
    const made = await people.owner('POST', PATH, { ...draft, company_id: company.id });
    expect(made).toMatchObject({ status: 201, body: { ...draft, company_id: company.id } });
    expect(await people.member('POST', PATH, draft)).toMatchObject(problem(403));
    const other = (await people.stranger('GET', '/system/company')).body.id;
    for (const bad of [
      {},
      { name: '' },
      { ...draft, zip: 5 },
      { ...draft, company_id: other },
      { ...draft, building: 'x' },
      { ...draft, user_id: people.ids.stranger },
    ]) {
      expect(await people.owner('POST', PATH, bad)).toMatchObject(problem(400));
    }
  });

  test('PATCH of a location changes the given fields, and gets 403, 400 and 404 as the specification says', async () => {
    const { id } = (await people.owner('POST', PATH, draft)).body;
    const change = { city: 'Berkeley', building: { type: 'floor' }, callerid: '+15550100009', id: 'x' };
    const { status, body } = await people.owner('PATCH', `${PATH}/${id}`, change);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, ...draft, city: 'Berkeley', building: { type: 'floor', value: '' } });
    expect(await people.member('PATCH', `${PATH}/${id}`, change)).toMatchObject(problem(403));
    const user_id = people.ids.member;
    expect((await people.owner('PATCH', `${PATH}/${id}`, { user_id })).body.user_id).toBe(user_id);
    for (const bad of [{ city: 1 }, { name: null }, { user_id: people.ids.stranger }, { user_id: 'nobody' }]) {
      expect(await people.owner('PATCH', `${PATH}/${id}`, bad)).toMatchObject(problem(400));
    }
    expect(await people.stranger('PATCH', `${PATH}/${id}`, { city: 'x' })).toMatchObject(problem(404));
    expect(await people.owner('PATCH', `${PATH}/nowhere`, { city: 'x' })).toMatchObject(problem(404));
  });

  test('DELETE of a location gets 200 once and then 404, and 403 for a member or a location in use', async () => {
    const { id } = (await people.owner('POST', PATH, draft)).body;
    expect(await people.member('DELETE', `${PATH}/${id}`)).toMatchObject(problem(403));
    expect(await people.stranger('DELETE', `${PATH}/${id}`)).toMatchObject(problem(404));
    expect(await people.owner('DELETE', `${PATH}/${id}`)).toMatchObject({ status: 200, body: { id } });
    expect(await people.owner('DELETE', `${PATH}/${id}`)).toMatchObject(problem(404));
    const [only] = (await people.stranger('GET', PATH)).body;
    const last = await people.stranger('DELETE', `${PATH}/${only.id}`);
    expect(last).toMatchObject(problem(403));
    expect(last.body.detail).toContain('last');
    const main = (await people.owner('GET', PATH)).body.find(
      ({ pbx_id }: { pbx_id: string }) => pbx_id === INSTANCE_ONE,
    );
    expect((await people.owner('DELETE', `${PATH}/${main.id}`)).body.detail).toContain('instance');
  });

  test('Two deletions at once never remove the last two locations', async () => {
    const { id } = (await people.stranger('POST', PATH, draft)).body;
    await node.kernel.mysql('tel_instances').where({ uuid: INSTANCE_TWO }).update({ location_id: id });
    const all = (await people.stranger('GET', PATH)).body;
    const ends = await Promise.all(all.map((each: { id: string }) => people.stranger('DELETE', `${PATH}/${each.id}`)));
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set([200, 403]));
    expect((await people.stranger('GET', PATH)).body).toHaveLength(1);
  });
});

describe('Instances', () => {
  test.each(['/instances', '/system/instances'])('GET %s lists the instances of the company', async (path) => {
    const company = (await people.owner('GET', '/system/company')).body;
    const { status, body } = await people.member('GET', path);
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        uuid: INSTANCE_ONE,
        accountcode: expect.any(String),
        channel_driver: 'pjsip',
        company_id: company.id,
        company_name: company.name,
        external_domain: '127.0.0.1',
        fqdn: '127.0.0.1',
        hostname: '127.0.0.1',
        internal_domain: '127.0.0.1',
        ip: '127.0.0.1',
        proxy_ip: '',
        location_id: expect.any(String),
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('9981');
  });

  test('GET /instances/{uuid} shows one instance, with the extension fields that it supports', async () => {
    const [listed] = (await people.member('GET', '/instances')).body;
    const { status, body } = await people.member('GET', `/instances/${INSTANCE_ONE}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...listed, backend: 'simulated' });
    expect(body.supported_fields).toEqual(expect.arrayContaining(['secret', 'ringtimer', 'transport', 'allow']));
    expect(await people.stranger('GET', `/instances/${INSTANCE_ONE}`)).toMatchObject(problem(404));
  });

  test('GET /instances/{uuid}/dids/callerids lists the numbers of the company', async () => {
    await people.owner('PATCH', '/company', { phone: '+15550100001' });
    const path = `/instances/${INSTANCE_ONE}/dids/callerids`;
    const { body } = await people.member('GET', path);
    expect(body).toContainEqual({
      name: 'Example Telecom',
      number: '+15550100001',
      value: '"Example Telecom" <+15550100001>',
    });
    expect(await people.stranger('GET', path)).toMatchObject(problem(404));
  });

  test('GET /system/account returns the contact whom the caller acts as', async () => {
    expect((await people.member('GET', '/system/account')).body).toMatchObject({
      id: people.ids.member,
      is_primary: false,
    });
  });
});
