import { openTelephony, type TelephonyStack } from '../../../support/telephony/telephony';
import { until } from '../../../support/until';
import { INSTANCE_ONE, INSTANCE_TWO, problem } from '../people';

let stack: TelephonyStack;

beforeAll(async () => {
  stack = await openTelephony();
});
afterAll(() => stack.close());

const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;
let next = 1000;
const draft = (data: object = {}, more: object = {}) => ({
  data: { id: ++next, name: `Phone ${next}`, ...data },
  ...more,
});
const create = async (data: object = {}, more: object = {}) =>
  (await stack.people.owner('POST', PATH, draft(data, more))).body;

describe('POST …/bulks/extensions', () => {
  test('POST creates an extension in the PBX and the database, with defaults and strong credentials', async () => {
    const { people, pbx } = stack;
    const [location] = (await people.owner('GET', '/company/locations')).body;
    const data = { id: 901, name: 'Front desk', description: 'Lobby', voicemail_email: 'member@example.com' };
    const body = {
      data: { ...data, outboundcid: '"Desk" <+15550100001>' },
      location_id: location.id,
      purpose: 'ip-phone',
    };
    const answer = await people.owner('POST', PATH, body);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      data: {
        ...data,
        extension: 901,
        tech: 'pjsip',
        dial: 'PJSIP/901',
        context: 'from-internal',
        callerid: 'Front desk <901>',
        mailbox: '901@device',
        voicemail: 'default',
        recording_priority: 10,
        findmefollow_needsconf: false,
        vmx_play_instructions: true,
        secret: expect.stringMatching(/^[0-9a-f]{32}$/),
        voicemail_vmpwd: expect.stringMatching(/^\d{6}$/),
      },
      location_id: location.id,
      outbound_callerid: { name: 'Desk', number: '+15550100001', value: '"Desk" <+15550100001>' },
      pbx: INSTANCE_ONE,
      phone: [
        {
          data: { reg: [{ displayname: 'Front desk', label: '901', userid: 901, server: [{ address: '127.0.0.1' }] }] },
        },
      ],
      extensions: [],
      purpose: 'ip-phone',
      reserved: { config_id: '', to: '' },
      subscriber: { call_status: '', extension_id: answer.body._id, state: 'UNKNOWN' },
      user: {
        id: people.ids.member,
        extension: { id: answer.body._id, number: 901, name: 'Front desk', description: 'Lobby' },
      },
    });
    const held = (await pbx.holds(INSTANCE_ONE)).find(({ number }) => number === 901);
    expect(held).toMatchObject({ number: 901, name: 'Front desk', secret: answer.body.data.secret });
    const contact = await people.owner('GET', `/company/contacts/${people.ids.member}`);
    expect(contact.body.extension).toMatchObject({ id: answer.body._id, number: 901 });
    expect((await people.owner('GET', `${PATH}/${answer.body._id}`)).body).toEqual(answer.body);
  });

  test('A new extension belongs to the user that is named, else to the user of the email address, else to nobody', async () => {
    const { ids } = stack.people;
    const named = await create({ voicemail_email: 'member@example.com' }, { user: { id: ids.owner } });
    expect(named.user.id).toBe(ids.owner);
    expect((await create({ voicemail_email: 'MEMBER@example.com' })).user.id).toBe(ids.member);
    expect((await create({ voicemail_email: 'nobody@example.com' })).user).toBeNull();
    expect((await create({}, { purpose: 'softphone' })).purpose).toBe('mobile-app');
  });

  test('POST of an extension gets 400 for values that are not allowed and for a number that is taken', async () => {
    const { people, pbx } = stack;
    await create({ id: 950 });
    const [foreign] = (await people.stranger('GET', '/company/locations')).body;
    const bad = [
      {},
      { data: { id: 951 } },
      { data: { name: 'No number' } },
      { data: { id: 0, name: 'x' } },
      { data: { id: 'abc', name: 'x' } },
      { data: { id: 951, extension: 952, name: 'x' } },
      { data: { id: 950, name: 'taken' } },
      { data: { id: 951, name: 'x', dtmfmode: 'morse' } },
      { data: { id: 951, name: 'x', ringtimer: '121' } },
      { data: { id: 951, name: 'x\nsecret=1' } },
      { data: { id: 951, name: 'x', secret: 'short' } },
      { data: { id: 951, name: null } },
      { data: { id: 951, name: 'x', voicemail_email: 'nobody' } },
      { data: { id: 10 ** 15, name: 'x' } },
      { data: { id: '1'.repeat(16), name: 'x' } },
      draft({ id: 951 }, { location_id: foreign.id }),
      draft({ id: 951 }, { user: { id: people.ids.stranger } }),
      draft({ id: 951 }, { purpose: 'toaster' }),
    ];
    for (const body of bad) expect(await people.owner('POST', PATH, body)).toMatchObject(problem(400));
    expect(
      await people.owner('POST', PATH, undefined, { raw: '{', headers: { 'Content-Type': 'application/json' } }),
    ).toMatchObject(problem(400));
    expect(await pbx.numbers(INSTANCE_ONE)).not.toContain(951);
    expect((await people.owner('POST', `/instances/${INSTANCE_TWO}/bulks/extensions`, draft())).status).toBe(404);
  });

  test('Many orders at once for one number create one extension', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => stack.people.owner('POST', PATH, draft({ id: 960 }))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
  });

  test('Many orders at once for one PBX are all carried out, one at a time and in order', async () => {
    const before = (await stack.pbx.requests(INSTANCE_ONE)).length;
    const answers = await Promise.all(Array.from({ length: 25 }, () => stack.people.owner('POST', PATH, draft())));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 25 }, () => 201));
    const keys = (await stack.pbx.requests(INSTANCE_ONE)).slice(before).map((each) => each.idempotency_key);
    const rows = await stack.worker.mysql('tel_operations').whereIn('id', keys).orderBy('number').pluck('id');
    expect(keys).toEqual(rows);
  });
});

describe('PUT and PATCH …/bulks/extensions/{extension_id}', () => {
  test('PUT of an extension falls back to defaults, but keeps number, secret and PIN unless given', async () => {
    const { people, pbx } = stack;
    const made = await create({ dtmfmode: 'info', voicemail_email: 'member@example.com' }, { purpose: 'softphone' });
    const { status, body } = await people.owner('PUT', `${PATH}/${made._id}`, { data: { name: 'Renamed' } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ _id: made._id, purpose: 'ip-phone', user: null });
    expect(body.data).toMatchObject({ id: made.data.id, name: 'Renamed', dtmfmode: 'rfc4733', voicemail_email: '' });
    expect(body.data).toMatchObject({ secret: made.data.secret, voicemail_vmpwd: made.data.voicemail_vmpwd });
    const secret = 'a-much-better-secret-1';
    const again = await people.owner('PUT', `${PATH}/${made._id}`, { data: { name: 'Renamed', secret } });
    expect(again.body.data.secret).toBe(secret);
    const held = (await pbx.holds(INSTANCE_ONE)).find(({ number }) => number === made.data.id);
    expect(held).toMatchObject({ name: 'Renamed', secret });
    expect((await people.owner('GET', `${PATH}/${made._id}`)).body).toMatchObject({ data: again.body.data });
  });

  test('PATCH changes the given fields, and a complete extension sent back, masked or not, changes nothing', async () => {
    const { people } = stack;
    const made = await create({ dtmfmode: 'info', outboundcid: '"A" <1>' });
    const patched = await people.owner('PATCH', `${PATH}/${made._id}`, {
      data: { name: 'New' },
      outbound_callerid: { number: '2' },
    });
    expect(patched).toMatchObject({
      status: 200,
      body: { data: { name: 'New', dtmfmode: 'info', outboundcid: '"A" <2>' } },
    });
    const asSeen = (await people.member('GET', `${PATH}/${made._id}`)).body;
    expect(asSeen.data.secret).toBe('********');
    const put = await people.owner('PUT', `${PATH}/${made._id}`, asSeen);
    expect(put.body.data).toEqual(patched.body.data);
  });

  test('PUT and PATCH get 400 for bad values, 404 for unknown or foreign extensions, and 403 for another user’s', async () => {
    const { people } = stack;
    const made = await create({}, { user: { id: people.ids.owner } });
    const path = `${PATH}/${made._id}`;
    for (const method of ['PUT', 'PATCH']) {
      expect(await people.owner(method, path, { data: { name: 'x', tech: 'pigeon' } })).toMatchObject(problem(400));
      expect(await people.owner(method, path, { data: { id: 5 } })).toMatchObject(problem(400));
      for (const name of [null, '', '  ']) {
        expect(await people.owner(method, path, { data: { name } })).toMatchObject(problem(400));
      }
      expect(await people.owner(method, `${PATH}/nothing`, { data: {} })).toMatchObject(problem(404));
      expect(await people.stranger(method, path, { data: { name: 'x' } })).toMatchObject(problem(404));
      const crossed = `/instances/${INSTANCE_TWO}/bulks/extensions/${made._id}`;
      expect(await people.stranger(method, crossed, { data: { name: 'x' } })).toMatchObject(problem(404));
      expect(await people.member(method, path, { data: { name: 'x' } })).toMatchObject(problem(403));
    }
  });
});

describe('DELETE …/bulks/extensions/{extension_id}', () => {
  test('DELETE removes an extension from the PBX and the database, once', async () => {
    const { people, pbx } = stack;
    const made = await create();
    expect(await people.stranger('DELETE', `${PATH}/${made._id}`)).toMatchObject(problem(404));
    expect(await people.owner('DELETE', `${PATH}/${made._id}`)).toMatchObject({ status: 200, body: { _id: made._id } });
    expect(await pbx.numbers(INSTANCE_ONE)).not.toContain(made.data.id);
    expect(await people.owner('DELETE', `${PATH}/${made._id}`)).toMatchObject(problem(404));
    expect((await people.owner('POST', PATH, { data: { id: made.data.id, name: 'Again' } })).status).toBe(201);
  });
});

describe('Idempotency-Key', () => {
  const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } });

  test('A repeated request with an Idempotency-Key gets the same answer and is carried out once', async () => {
    const { people, pbx } = stack;
    const body = draft();
    const answers = await Promise.all([1, 2, 3].map(() => people.owner('POST', PATH, body, withKey('key-1'))));
    const later = await people.owner('POST', PATH, body, withKey('key-1'));
    for (const answer of [...answers, later]) expect(answer).toMatchObject({ status: 201, body: answers[0]!.body });
    const requests = await pbx.requests(INSTANCE_ONE);
    expect(requests.filter(({ number }) => number === String(body.data.id))).toHaveLength(1);
  });

  test('An Idempotency-Key belongs to one caller and to one request', async () => {
    const { people } = stack;
    await people.owner('POST', PATH, draft(), withKey('key-2'));
    expect(await people.owner('POST', PATH, draft(), withKey('key-2'))).toMatchObject(problem(400));
    expect((await people.member('POST', PATH, draft(), withKey('key-2'))).status).toBe(201);
    expect(await people.owner('POST', PATH, draft(), withKey('a b'))).toMatchObject(problem(400));
  });
});

describe('Prefer: respond-async', () => {
  test('An order with Prefer: respond-async gets 202 at once, and /operations/{id} shows its outcome', async () => {
    const { people } = stack;
    const placed = await people.member('POST', PATH, draft(), { headers: { Prefer: 'respond-async' } });
    expect(placed).toMatchObject({ status: 202, body: { kind: 'create', instance_uuid: INSTANCE_ONE } });
    const location = placed.headers.get('location')!;
    expect(location).toBe(`/operations/${placed.body.id}`);
    const done = await until(
      () => people.member('GET', location),
      ({ body }) => body.is_finished,
    );
    expect(done.body).toMatchObject({ state: 'succeeded', result: { data: { secret: expect.any(String) } } });
    expect((await people.owner('GET', location)).status).toBe(200);
    expect(await people.stranger('GET', location)).toMatchObject(problem(404));
    expect(await people.owner('GET', '/operations/none')).toMatchObject(problem(404));
  });
});
