import { openTelephony, type TelephonyStack } from '../../../support/telephony/telephony';
import { INSTANCE_ONE, INSTANCE_TWO, problem } from '../people';

let stack: TelephonyStack;

const LISTS = [`/instances/${INSTANCE_ONE}/bulks/extensions`, `/instances/${INSTANCE_ONE}/extensions`] as const;
const [BULKS, PLAIN] = LISTS;
const made: Record<number, { _id: string; user: object | null; data: { secret: string; voicemail_vmpwd: string } }> =
  {};

beforeAll(async () => {
  stack = await openTelephony();
  const { owner } = stack.people;
  for (const list of LISTS) expect(await owner('GET', list)).toMatchObject(problem(404));
  const all = [
    [101, 'Zoe 100%', { voicemail_email: 'member@example.com' }, 'mobile-app'],
    [102, 'Anna_Bell', { description: 'Kitchen' }, 'ip-phone'],
    [103, 'Bert', { voicemail_email: 'owner@example.com' }, 'ip-phone'],
    [1010, 'Carl', {}, 'mobile-app'],
  ] as const;
  for (const [id, name, data, purpose] of all) {
    const { status, body } = await owner('POST', BULKS, { data: { id, name, ...data }, purpose });
    expect(status).toBe(201);
    made[id] = body;
  }
});
afterAll(() => stack.close());

const numbers = (body: { data: { id: number } }[]) => body.map(({ data }) => data.id);
const list = async (path: string, query = '') => {
  const { status, body } = await stack.people.owner('GET', `${path}?${query}`);
  return status === 200 ? numbers(body) : status;
};

describe.each(LISTS)('GET %s', (path) => {
  test('Extensions are listed by number with paging headers', async () => {
    const { status, headers, body } = await stack.people.owner('GET', `${path}?page=2&page_size=3`);
    expect(status).toBe(200);
    expect(numbers(body)).toEqual([1010]);
    const shown = ['total-count', 'page-count', 'current-page', 'per-page'].map((name) =>
      headers.get(`x-pagination-${name}`),
    );
    expect(shown).toEqual(['4', '2', '2', '3']);
    expect(await list(path, 'page=3&page_size=3')).toBe(404);
    expect(await list(path, 'per_page=1')).toEqual([101]);
    expect(await list(path, 'page=0')).toBe(400);
    expect(await list(path, 'page_size=x')).toBe(400);
  });

  test('Extensions are filtered, and searched by number, name, description and user', async () => {
    expect(await list(path, 'filter_by=unassigned')).toEqual([102, 1010]);
    expect(await list(path, 'filter_by=softphone')).toEqual([101, 1010]);
    expect(await list(path, 'filter_by=both')).toBe(400);
    expect(await list(path, 'search=101')).toEqual([101, 1010]);
    expect(await list(path, 'search=BERT')).toEqual([103]);
    expect(await list(path, 'search=kitch')).toEqual([102]);
    expect(await list(path, 'search=olive')).toEqual([103]);
    expect(await list(path, 'search=0%25')).toEqual([101]);
    expect(await list(path, 'search=_')).toEqual([102]);
    expect(await list(path, 'search=nothing')).toBe(404);
    expect(await list(path, "search=' OR 1=1 --")).toBe(404);
  });

  test('A list of extensions gets 404 for an instance that is unknown or of another company', async () => {
    for (const uuid of [INSTANCE_TWO, 'x', '00000000-0000-4000-8000-0000000000ff']) {
      expect(await stack.people.owner('GET', path.replace(INSTANCE_ONE, uuid))).toMatchObject(problem(404));
    }
  });
});

describe('by_user=on', () => {
  test('The bulk list with by_user=on is sorted by user, with unassigned extensions last', async () => {
    expect(await list(BULKS, 'by_user=on')).toEqual([101, 103, 102, 1010]);
    expect(await list(BULKS, 'filter_by=softphone&by_user=on')).toEqual([101, 1010]);
  });

  test('The plain list with by_user=on is filtered by user', async () => {
    expect(await list(PLAIN, 'by_user=on')).toEqual([101, 103]);
    expect(await list(PLAIN, 'by_user=on&search=max')).toEqual([101]);
    expect(await list(PLAIN, 'by_user=on&search=bert')).toBe(404);
  });

  test('Lists by user follow a change of the user’s name and the user’s deletion', async () => {
    const { owner } = stack.people;
    const draft = { first_name: 'Wanda', work_email: 'wanda@example.com' };
    const { id } = (await owner('POST', '/company/contacts', draft)).body;
    await owner('PATCH', `${BULKS}/${made[102]!._id}`, { user: { id } });
    await owner('PATCH', `/company/contacts/${id}`, { first_name: 'Aaron' });
    expect(await list(PLAIN, 'search=aaron')).toEqual([102]);
    expect(await list(BULKS, 'by_user=on')).toEqual([102, 101, 103, 1010]);
    await owner('DELETE', `/company/contacts/${id}`);
    expect(await list(PLAIN, 'filter_by=unassigned')).toEqual([102, 1010]);
  });
});

describe('GET /account/{contact_id}/extensions', () => {
  test('The list of an account has the user’s own extensions, and unassigned ones on request', async () => {
    const { owner, member, ids } = stack.people;
    const path = `/account/${ids.member}/extensions`;
    expect(numbers((await member('GET', path)).body)).toEqual([101]);
    expect(numbers((await owner('GET', `${path}?purpose=softphone`)).body)).toEqual([101]);
    expect((await owner('GET', `/account/${ids.owner}/extensions?purpose=softphone`)).body).toEqual([]);
    expect(numbers((await owner('GET', `${path}?purpose=unassigned`)).body)).toEqual([102, 1010]);
    expect(await owner('GET', `${path}?purpose=desk`)).toMatchObject(problem(400));
    for (const id of [ids.stranger, 'nobody']) {
      expect(await owner('GET', `/account/${id}/extensions`)).toMatchObject(problem(404));
    }
  });
});

describe('POST …/bulks/extensions/check', () => {
  const check = (body: unknown, uuid = INSTANCE_ONE) =>
    stack.people.owner('POST', `/instances/${uuid}/bulks/extensions/check`, body);

  test('The check gets 200 for a user without an extension, whether the number is free or unassigned', async () => {
    const { owner } = stack.people;
    await owner('POST', '/company/contacts', { first_name: 'Free', work_email: 'free@example.com' });
    expect((await check({ email: 'free@example.com', id: 777 })).status).toBe(200);
    expect((await check({ email: 'free@example.com', id: '777' })).status).toBe(200);
    expect(made[102]!.user).toBeNull();
    expect(await check({ email: 'free@example.com', id: 102 })).toMatchObject({
      status: 200,
      body: { email: 'free@example.com', id: 102, available: true },
    });
  });

  test('The check gets 400 for a taken user or number or missing values, and 404 for an unknown instance', async () => {
    expect(await check({ email: 'member@example.com', id: 777 })).toMatchObject(problem(400));
    expect(await check({ email: 'free@example.com', id: 103 })).toMatchObject(problem(400));
    for (const body of [undefined, {}, { email: 'x@y.z' }, { id: 5 }, { email: 'x@y.z', id: 'x' }]) {
      expect(await check(body)).toMatchObject(problem(400));
    }
    expect(await check({ email: 'free@example.com', id: 777 }, INSTANCE_TWO)).toMatchObject(problem(404));
  });

  test('The check gets 400 that says so for an email that is no user of the company', async () => {
    for (const email of ['unknown@example.com', 'owner@other.example']) {
      const { status, body } = await check({ email, id: 777 });
      expect([status, body.detail]).toEqual([400, `email: there is no user ${email} in this company`]);
    }
  });
});

describe('Credentials of extensions', () => {
  test('Credentials are shown to the owner and to the user of the extension, and masked for anyone else', async () => {
    const { owner, member } = stack.people;
    const { secret, voicemail_vmpwd: pin } = made[103]!.data;
    const [own, others] = [made[101]!.data.secret, secret];
    expect((await owner('GET', BULKS)).text).toContain(others);
    const seen = (await member('GET', BULKS)).text;
    expect(seen).toContain(own);
    expect(seen).not.toContain(others);
    expect(seen).not.toContain(`"${pin}"`);
    expect(seen).toContain('"password":"********"');
  });

  test('Credentials are stored in clear text neither in the database nor in Redis', async () => {
    const { worker } = stack;
    const secrets = Object.values(made).map(({ data }) => data.secret);
    const tables = (await worker.mysql.raw('SHOW TABLES'))[0].flatMap((row: object) => Object.values(row)) as string[];
    for (const table of tables) {
      const text = JSON.stringify(await worker.mysql(table).select());
      for (const secret of secrets) expect([table, text.includes(secret)]).toEqual([table, false]);
    }
    const redis = worker.redis.commands;
    const keys = (await redis.keys('*')).filter((key) => key.includes(worker.namespace));
    expect(keys.length).toBeGreaterThan(5);
    for (const key of keys) {
      const dump = ((await redis.dumpBuffer(key)) ?? Buffer.from('')).toString('latin1');
      for (const secret of secrets) expect([key, dump.includes(secret)]).toEqual([key, false]);
    }
  });
});
