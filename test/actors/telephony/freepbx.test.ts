import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { until } from '../../support/until';
import { INSTANCE_ONE, problem } from '../../api/telephony/people';

let stack: TelephonyStack;

beforeAll(async () => {
  stack = await openTelephony(
    {
      PBX_LATE_MS: '2000',
      PBX_SWEEP_MS: '200',
      BREAKER_OPEN_MS: '500',
      BREAKER_FAILURES: '1000',
    },
    'freepbx',
  );
});
afterEach(async () => {
  await stack.pbx.fault({ mode: 'ok' });
});
afterAll(() => stack.close());

const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;
let next = 4000;
const draft = (more: object = {}) => ({ data: { id: ++next, name: `Phone ${next}`, ...more } });
const simulated = async (method: string, path: string, body?: object) =>
  (
    await fetch(`${stack.pbx.url}/freepbx/${INSTANCE_ONE}${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  ).json();
const heldOf = async (number: number) => (await stack.pbx.holds(INSTANCE_ONE)).find((each) => each.number === number);

describe('Fields that FreePBX supports', () => {
  test('The smallest order is carried out, and FreePBX holds its name and its secret', async () => {
    const { status, body } = await stack.people.owner('POST', PATH, draft());
    expect(status).toBe(201);
    expect(await heldOf(body.data.id)).toMatchObject({ name: body.data.name, secret: body.data.secret });
  });

  test('An order gets 502, not success, when FreePBX answers 200 and has changed nothing', async () => {
    const made = (await stack.people.owner('POST', PATH, draft())).body;
    await stack.pbx.fault({ instance: INSTANCE_ONE, mode: 'only-say-yes' });
    const answer = await stack.people.owner('PATCH', `${PATH}/${made._id}`, { data: { name: 'Renamed' } });
    expect(answer).toMatchObject(problem(502));
    expect(answer.body.detail).toContain('holds something else in name; nothing was changed');
    await stack.pbx.fault({ mode: 'ok' });
    expect((await stack.people.owner('GET', `${PATH}/${made._id}`)).body.data.name).toBe(made.data.name);
  });

  test('FreePBX holds ring time, call waiting, recording and mailbox options until a change takes them back', async () => {
    const own = { ringtimer: '25', callwaiting_enable: 'disabled', recording_in_external: 'force' };
    const mailbox = {
      voicemail_email: 'v@example.com',
      voicemail_options: 'attach=yes|saycid=no|envelope=no|delete=no',
    };
    const { status, body } = await stack.people.owner('POST', PATH, draft({ ...own, ...mailbox }));
    expect(status).toBe(201);
    const user = { ringtimer: 25, callwaiting: 'disabled', recording_in_external: 'force' };
    expect(await heldOf(body.data.id)).toMatchObject({ ...user, voicemail_attach: 'yes', voicemail: 'default' });
    const back = await stack.people.owner('PUT', `${PATH}/${body._id}?discard_voicemail=true`, { data: {} });
    expect(back.status).toBe(200);
    expect(await heldOf(body.data.id)).not.toMatchObject({ ringtimer: 25 });
    expect(await heldOf(body.data.id)).toMatchObject({ voicemail: 'novm' });
  });

  test('An extension in FreePBX has the secret that we generated, and no user of the user manager', async () => {
    const { status, body } = await stack.people.owner(
      'POST',
      PATH,
      draft({ voicemail_email: 'v@example.com', max_contacts: '3' }),
    );
    expect(status).toBe(201);
    expect(await heldOf(body.data.id)).toMatchObject({
      name: body.data.name,
      secret: body.data.secret,
      email: 'v@example.com',
      voicemail: 'default',
      voicemail_vmpwd: body.data.voicemail_vmpwd,
      max_contacts: '3',
      has_user: false,
    });
  });

  test('A change of one field leaves every other field in FreePBX as it was', async () => {
    const made = (await stack.people.owner('POST', PATH, draft({ max_contacts: '4', emergency_cid: '911' }))).body;
    const changed = await stack.people.owner('PATCH', `${PATH}/${made._id}`, { data: { name: 'Renamed' } });
    expect(changed.status).toBe(200);
    expect(await heldOf(made.data.id)).toMatchObject({
      name: 'Renamed',
      secret: made.data.secret,
      max_contacts: '4',
      emergency_cid: '911',
      voicemail: 'novm',
    });
  });
});

describe('Fields that FreePBX does not support', () => {
  test('A field that FreePBX does not support is stored, returned as given, and named in warnings', async () => {
    const body = draft({ findmefollow_annmsg_id: '4', dtmfmode: 'inband', ringtimer: '20' });
    const made = await stack.people.owner('POST', PATH, body);
    expect(made).toMatchObject({ status: 201, body: { data: body.data } });
    expect(made.body.warnings).toEqual([
      'data.findmefollow_annmsg_id: is kept here, but this kind of PBX (freepbx) does not take it',
      'data.dtmfmode: is kept here, but this kind of PBX (freepbx) does not take it',
    ]);
    expect((await stack.people.owner('GET', `${PATH}/${made.body._id}`)).body.warnings).toEqual(made.body.warnings);
    expect((await stack.people.owner('POST', PATH, draft())).body.warnings).toEqual([]);
    const { body: instance } = await stack.people.member('GET', `/instances/${INSTANCE_ONE}`);
    expect(instance.supported_fields).toContain('ringtimer');
    expect(instance.supported_fields).not.toContain('dtmfmode');
  });

  test('An order with codecs or a transport for FreePBX is refused with 400, as calls would differ from the order', async () => {
    const refused = await stack.people.owner('POST', PATH, draft({ allow: 'opus' }));
    expect(refused).toMatchObject(problem(400));
    expect(refused.body.detail).toContain('data.allow');
    const made = await stack.people.owner('POST', PATH, draft({ allow: '', transport: '' }));
    expect(made).toMatchObject({ status: 201 });
    const path = `${PATH}/${made.body._id}`;
    expect(await stack.people.owner('PATCH', path, { data: { transport: 'tls' } })).toMatchObject(problem(400));
    expect(await stack.people.owner('PUT', path, { data: made.body.data })).toMatchObject({ status: 200 });
  });
});

describe('Errors of FreePBX', () => {
  test('An expired token of FreePBX is renewed without failing the order', async () => {
    await simulated('DELETE', '/simulated/tokens');
    expect((await stack.people.owner('POST', PATH, draft())).status).toBe(201);
  });

  test('An order takes over a number that exists in FreePBX and not here', async () => {
    const body = draft();
    await stack.pbx.put(INSTANCE_ONE, body.data.id, { name: 'By hand', secret: 'by-hand-secret' });
    const made = await stack.people.owner('POST', PATH, body);
    expect(made.status).toBe(201);
    expect(await heldOf(body.data.id)).toMatchObject({ name: body.data.name, secret: made.body.data.secret });
  });

  test('An order that FreePBX never accepts gets 502 with the words of FreePBX and leaves nothing behind', async () => {
    const body = draft({ tech: 'iax2' });
    const answer = await stack.people.owner('POST', PATH, body);
    expect(answer).toMatchObject(problem(502));
    expect(answer.body.detail).toMatch(/not support this tech\(iax2\) .*; nothing was created/);
    expect(await heldOf(body.data.id)).toBeUndefined();
  });

  test('An update that fails once between deletion and creation in FreePBX is repaired', async () => {
    const made = (await stack.people.owner('POST', PATH, draft())).body;
    await stack.pbx.fault({ instance: INSTANCE_ONE, mode: 'half-apply', times: 1 });
    const answer = await stack.people.owner('PATCH', `${PATH}/${made._id}`, { data: { name: 'After' } });
    const name = answer.status === 200 ? 'After' : made.data.name;
    await until(
      () => heldOf(made.data.id),
      (held) => held?.name === name && held?.secret === made.data.secret,
    );
    expect((await stack.people.owner('GET', `${PATH}/${made._id}`)).body.data.name).toBe(name);
  });

  test('An update that stays half done in FreePBX gets 502, and the former extension is restored', async () => {
    const made = (await stack.people.owner('POST', PATH, draft())).body;
    await stack.pbx.fault({ instance: INSTANCE_ONE, mode: 'half-apply' });
    expect(await stack.people.owner('PATCH', `${PATH}/${made._id}`, { data: { name: 'After' } })).toMatchObject(
      problem(502),
    );
    await stack.pbx.fault({ mode: 'ok' });
    const same = { name: made.data.name, secret: made.data.secret };
    await until(
      () => heldOf(made.data.id),
      (held) => held?.name === same.name && held?.secret === same.secret,
    );
  });

  test('Credentials that FreePBX refuses cause a 502 that says so and does not show them', async () => {
    const { mysql, secrets } = stack.worker;
    const { credentials } = await mysql('tel_instances').where({ uuid: INSTANCE_ONE }).first('credentials');
    const wrong = secrets.encrypt('partyline:canary-wrong');
    await mysql('tel_instances').where({ uuid: INSTANCE_ONE }).update({ credentials: wrong });
    const answer = await stack.people.owner('POST', PATH, draft());
    await mysql('tel_instances').where({ uuid: INSTANCE_ONE }).update({ credentials });
    expect(answer).toMatchObject(problem(502));
    expect(answer.body.detail).toContain('refuses our credentials');
    expect(JSON.stringify(answer.body)).not.toContain('canary');
    expect((await stack.people.owner('POST', PATH, draft())).status).toBe(201);
  });
});
