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

const LIST = '/system/company/contacts';
const PATH = '/company/contacts';
let made = 0;
const draft = (more: object = {}) => ({
  first_name: 'Nina',
  last_name: 'New',
  work_email: `nina${++made}@example.com`,
  ...more,
});
const create = async (more: object = {}) => (await people.owner('POST', PATH, draft(more))).body;

describe('POST /company/contacts', () => {
  test('POST /company/contacts gets 201 with every field of the specification', async () => {
    const { status, body } = await people.owner('POST', PATH, draft({ work_email: 'full@example.com' }));
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      activated: true,
      is_primary: false,
      address: {
        address2: '',
        city: '',
        country: '',
        number: '',
        state: '',
        street: { name: '', number: 0, type: '' },
        zip: '',
      },
      birthdate: null,
      company_id: (await people.owner('GET', '/system/company')).body.id,
      contacts: { email: '', fax: '', phones: { home: '', mobile: '', other: '', work: '' } },
      created: expect.any(String),
      description: '',
      emergency_contact_number: '',
      extension: null,
      first_name: 'Nina',
      last_name: 'New',
      invitation: {
        status: 'pending',
        issued_at: expect.any(String),
        expired_at: expect.any(String),
        accepted_at: null,
        token: expect.stringMatching(/^[A-Za-z0-9]{40}$/),
      },
      last_enter: null,
      primary_agent: '',
      timezone: '',
      title: '',
      updated: expect.any(String),
      work_email: 'full@example.com',
    });
    expect((await people.owner('GET', '/system/company')).body.employees).toBe(3);
  });

  test('POST /company/contacts gets 403 for a member and 400 for invalid values, a taken address or another company', async () => {
    expect(await people.member('POST', PATH, draft())).toMatchObject(problem(403));
    const { ids } = people;
    const bad = [
      {},
      { first_name: 'x' },
      { work_email: 'x@y.z' },
      draft({ work_email: 'nobody' }),
      draft({ birthdate: 'once' }),
      draft({ birthdate: '1990-02-31' }),
      draft({ timezone: 'Mars/Olympus_Mons' }),
      draft({ primary_agent: ids.stranger }),
      draft({ primary_agent: 'nobody' }),
    ];
    for (const each of [...bad, draft({ work_email: 'MEMBER@example.com' }), draft({ company_id: ids.stranger })]) {
      expect(await people.owner('POST', PATH, each)).toMatchObject(problem(400));
    }
  });

  test('POST /company/contacts takes no id, no history and no rights from the body', async () => {
    const forged = {
      id: people.ids.member,
      is_primary: true,
      is_admin: true,
      role: 'owner',
      last_enter: 'now',
      created: 'x',
    };
    const body = await create({ ...forged, invitation: { status: 'accepted' }, extension: { id: 'x' } });
    expect(body).toMatchObject({
      is_primary: false,
      last_enter: null,
      extension: null,
      invitation: { status: 'pending' },
    });
    expect(body.id).not.toBe(people.ids.member);
    expect(body).not.toHaveProperty('role');
  });
});

describe('GET /system/company/contacts', () => {
  test('GET /system/company/contacts filters, pages by every parameter name, and gets 204 when none match', async () => {
    const both = [await create({ first_name: 'Ada' }), await create({ first_name: 'Ada' })];
    const all = await people.owner('GET', LIST);
    expect(all.body[0]).toMatchObject({ work_email: 'owner@example.com', is_primary: true });
    expect(all.body.length).toBeGreaterThanOrEqual(5);
    const ids = async (query: Record<string, string>) =>
      (await people.owner('GET', LIST, undefined, { query })).body.map(({ id }: { id: string }) => id);
    expect(await ids({ first_name: 'ada' })).toEqual(both.map(({ id }) => id));
    expect(await ids({ work_email: both[1].work_email })).toEqual([both[1].id]);
    for (const spelling of ['items_per_page', 'page_size', 'per_page']) {
      expect(await ids({ first_name: 'Ada', [spelling]: '1', page: '2' })).toEqual([both[1].id]);
    }
    const found = await create({ first_name: 'Zoë', last_name: 'van Dyk', work_email: 'zvd_99@example.com' });
    for (const search of ['zoë van', 'AN DYK', 'vd_9', 'zvd_99@example.com']) {
      expect(await ids({ search })).toEqual([found.id]);
    }
    for (const query of [
      { search: 'z%9' },
      { search: 'owner@other.example' },
      { first_name: 'Zed' },
      { work_email: 'owner@other.example' },
      { page: '99' },
    ]) {
      expect(await people.owner('GET', LIST, undefined, { query })).toMatchObject({ status: 204, text: '' });
    }
  });

  test.each(['page=0', 'page=x', 'items_per_page=0', 'items_per_page=-1', 'page=1.5'])(
    'GET /system/company/contacts gets 400 for %s',
    async (query) => {
      expect(await people.owner('GET', `${LIST}?${query}`)).toMatchObject(problem(400));
    },
  );
});

describe('PATCH /company/contacts/{contact_id}', () => {
  test('A contact can be changed by the owner and by the contact', async () => {
    const { owner, member, ids } = people;
    const change = { title: 'Clerk', contacts: { phones: { work: '+1555' } }, emergency_contact_number: '112' };
    const { status, body } = await member('PATCH', `${PATH}/${ids.member}`, change);
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: 'Clerk', emergency_contact_number: '112', first_name: 'Max' });
    expect(body.contacts).toEqual({ email: '', fax: '', phones: { home: '', mobile: '', other: '', work: '+1555' } });
    expect((await owner('PATCH', `${PATH}/${ids.member}`, { last_name: 'Mustermann' })).body.last_name).toBe(
      'Mustermann',
    );
    expect(await member('PATCH', `${PATH}/${ids.owner}`, { title: 'Boss' })).toMatchObject(problem(403));
  });

  test('A complete contact that is sent back changes nothing but the time of the update', async () => {
    const before = await create();
    const { body } = await people.owner('PATCH', `${PATH}/${before.id}`, before);
    const { token, ...invitation } = before.invitation;
    expect(token).toHaveLength(40);
    expect(body).toEqual({ ...before, invitation, updated: expect.any(String) });
  });

  test('Only the owner can disable a contact, who can then not be acted as, and never the primary one', async () => {
    const { owner, member, ids } = people;
    expect((await member('PATCH', `${PATH}/${ids.member}`, { activated: false })).body.activated).toBe(true);
    expect((await owner('PATCH', `${PATH}/${ids.member}`, { activated: false })).body.activated).toBe(false);
    expect(await member('GET', '/system/company')).toMatchObject(problem(401));
    await owner('PATCH', `${PATH}/${ids.member}`, { activated: true });
    expect(await owner('PATCH', `${PATH}/${ids.owner}`, { activated: false })).toMatchObject(problem(403));
  });

  test('A contact can name a contact of the same company as agent, who may be removed later', async () => {
    const agent = await create();
    const { id } = await create({ primary_agent: agent.id, birthdate: '1992-02-29', timezone: 'Europe/Berlin' });
    await people.owner('DELETE', `${PATH}/${agent.id}`);
    const again = await people.owner('PATCH', `${PATH}/${id}`, { primary_agent: agent.id, title: 'Clerk' });
    expect(again).toMatchObject({ status: 200, body: { title: 'Clerk', birthdate: '1992-02-29' } });
    expect((await people.owner('PATCH', `${PATH}/${id}`, { primary_agent: null })).body.primary_agent).toBe('');
    expect(await people.owner('PATCH', `${PATH}/${id}`, { primary_agent: agent.id })).toMatchObject(problem(400));
  });

  test('PATCH of a contact gets 400 for invalid values, and 404 for an unknown contact or another company’s', async () => {
    const { owner, ids } = people;
    const badNames = [
      { first_name: null },
      { first_name: '' },
      { work_email: 'x' },
      { work_email: 'owner@example.com' },
    ];
    const badValues = [{ address: 1 }, { company_id: 'x' }, { birthdate: '1990-02-31' }, { timezone: 'Nowhere' }];
    for (const bad of [...badNames, ...badValues, { primary_agent: ids.stranger }]) {
      expect(await owner('PATCH', `${PATH}/${ids.member}`, bad)).toMatchObject(problem(400));
    }
    for (const id of [ids.stranger, 'nobody', '%27%20OR%201=1']) {
      expect(await owner('PATCH', `${PATH}/${id}`, { title: 'x' })).toMatchObject(problem(404));
      expect(await owner('DELETE', `${PATH}/${id}`)).toMatchObject(problem(404));
      expect(await owner('GET', `${PATH}/${id}`)).toMatchObject(problem(404));
    }
  });
});

describe('DELETE /company/contacts/{contact_id}', () => {
  test('A contact is deleted by the owner only, and the primary contact never is', async () => {
    const { owner, member, ids } = people;
    const { id } = await create();
    expect(await member('DELETE', `${PATH}/${id}`)).toMatchObject(problem(403));
    expect(await owner('DELETE', `${PATH}/${ids.owner}`)).toMatchObject(problem(403));
    expect(await owner('DELETE', `${PATH}/${id}`)).toMatchObject({ status: 200, body: { id } });
    expect(await owner('DELETE', `${PATH}/${id}`)).toMatchObject(problem(404));
  });
});

describe('Invitations', () => {
  const accept = (token: string) => node.call('/invitations/accept', { json: { token } });

  test('An invitation is accepted by its token, once', async () => {
    const { id, invitation } = await create();
    expect(await accept('wrong')).toMatchObject(problem(404));
    const accepted = await accept(invitation.token);
    expect(accepted).toMatchObject({
      status: 200,
      body: { id, invitation: { status: 'accepted', accepted_at: expect.any(String) } },
    });
    expect(await accept(invitation.token)).toMatchObject(problem(404));
    expect(await people.owner('POST', `${PATH}/${id}/invitation`)).toMatchObject(problem(400));
  });

  test('An invitation expires, and can be issued again', async () => {
    const { id, invitation } = await create();
    await node.kernel.mysql('tel_contacts').where({ id }).update({ invitation_ends_at: '2020-01-01' });
    expect(await accept(invitation.token)).toMatchObject(problem(400));
    expect((await people.owner('GET', `${PATH}/${id}`)).body.invitation.status).toBe('expired');
    expect(await people.member('POST', `${PATH}/${id}/invitation`)).toMatchObject(problem(403));
    const again = await people.owner('POST', `${PATH}/${id}/invitation`);
    expect(again.body.invitation).toMatchObject({
      status: 'pending',
      token: expect.not.stringContaining(invitation.token),
    });
    expect((await accept(again.body.invitation.token)).body.invitation.status).toBe('accepted');
  });

  test('Tokens of invitations are not stored in clear text', async () => {
    const { invitation } = await create();
    expect(JSON.stringify(await node.kernel.mysql('tel_contacts'))).not.toContain(invitation.token);
    expect(JSON.stringify(await node.kernel.mysql('tel_audit'))).not.toContain(invitation.token);
  });
});
