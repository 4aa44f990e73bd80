import { hasPrograms } from '../../../scripts/lib/test/test-programs';
import { problem } from '../../api/telephony/people';
import { until } from '../../support/until';
import { ASTERISK, openAsteriskStack, type AsteriskStack } from './asterisk-stack';
import { openPhone, type SipPhone } from './sip-phone';
import { makeCall, registerPhone, takeCall } from './sipp';

const PATH = `/instances/${ASTERISK}/bulks/extensions`;
const WHOLE = ['auth', 'aor', 'endpoint'];

// Without these programs, recorded exchanges test the driver: test/actors/telephony/asterisk.test.ts.
(hasPrograms(['asterisk', 'sipp']) ? describe : describe.skip)('Real Asterisk', () => {
  let stack: AsteriskStack;
  const phones: SipPhone[] = [];
  beforeAll(async () => void (stack = await openAsteriskStack()));
  afterEach(() => stack.proxy.decide());
  afterAll(async () => {
    for (const each of phones) each.close();
    await stack.close();
  });

  let next = 300;
  const draft = (more: object = {}) => ({ data: { id: ++next, name: `Phone ${next}`, ...more } });
  const order = (method: string, path = '', body?: object) => stack.people.owner(method, `${PATH}${path}`, body);
  const create = async (more: object = {}) => (await order('POST', '', draft(more))).body;
  const drift = async () => (await stack.people.owner('POST', `/instances/${ASTERISK}/drift`)).body;
  const phone = async (user: number) => {
    const opened = await openPhone({ port: stack.sipPort, user, domain: '127.0.0.1' });
    phones.push(opened);
    return opened;
  };
  const stateOf = async ({ _id: id }: { _id: string }) => (await order('GET', `/${id}`)).body.subscriber.state;
  const openOrders = () =>
    stack.worker.mysql('tel_operations').whereIn('state', ['pending', 'running', 'undoing']).pluck('state');
  const settled = () => until(openOrders, (states) => states.length === 0);

  test('The smallest order creates an extension that registers in Asterisk at once, only with its secret', async () => {
    const early = await phone(3102);
    expect(await early.register('whatever-it-is')).not.toBe(200);
    const { status, body } = await order('POST', '', { data: { id: 3102, name: 'Front desk' } });
    expect(status).toBe(201);
    expect(await stack.objectsOf(3102)).toEqual(WHOLE);
    expect(await early.register('wrong-secret')).not.toBe(200);
    expect(await early.register(body.data.secret)).toBe(200);
    expect(await drift()).toMatchObject({ missing: [], changed: [], unknown: [], is_complete: true });
  });

  test('Two extensions register and call each other', async () => {
    // Asterisk sends no qualify requests, because SIPp would take one for a call.
    const [one, two] = [await create({ qualifyfreq: '0' }), await create({ qualifyfreq: '0' })];
    const caller = { user: one.data.id, secret: one.data.secret };
    const callee = await registerPhone(stack.sipPort, { user: two.data.id, secret: two.data.secret });
    await Promise.all([takeCall(stack.sipPort, callee), makeCall(stack.sipPort, caller, two.data.id)]);
    await expect(registerPhone(stack.sipPort, { ...callee, secret: 'wrong-secret' })).rejects.toThrow('register');
  });

  test('Every field that Asterisk supports is stored there and compared', async () => {
    const body = draft({
      name: `Żółć "日本" ${'x'.repeat(61)}`,
      allow: 'alaw&g722',
      timers: 'forced',
      sendrpid: 'both',
      dtmfmode: 'shortinfo',
      namedcallgroup: '10,9,sales',
      max_contacts: '03',
      bundle: 'yes',
      media_encryption: 'dtls',
      icesupport: 'yes',
      avpf: 'yes',
      mwi_subscription: 'solicited',
      voicemail: 'default',
      mohclass: '',
    });
    expect((await order('POST', '', body)).status).toBe(201);
    expect(await drift()).toMatchObject({ changed: [], is_complete: true });
    await stack.pjsip('PUT', `endpoint/${body.data.id}`, { named_call_group: '9' });
    await stack.pjsip('PUT', `aor/${body.data.id}`, { qualify_frequency: '59' });
    expect(await drift()).toMatchObject({ changed: [body.data.id], repaired: [body.data.id] });
    expect(await drift()).toMatchObject({ changed: [] });
  });

  test('A change of secret drops the phone, which comes back with the new secret alone', async () => {
    // Asterisk sends no qualify requests: on a slow machine it would take a late response for none.
    const made = await create({ qualifyfreq: '0' });
    const own = await phone(made.data.id);
    expect(await stateOf(made)).toBe('UNAUTHENTICATED');
    expect(await own.register(made.data.secret)).toBe(200);
    const isOnline = (expected: string) =>
      until(
        () => stateOf(made),
        (state) => state === expected,
      );
    await isOnline('AUTHENTICATED');
    expect((await order('PATCH', `/${made._id}`, { data: { name: 'Renamed' } })).status).toBe(200);
    expect(await stateOf(made)).toBe('AUTHENTICATED');
    const secret = 'a-better-secret-1';
    expect((await order('PATCH', `/${made._id}`, { data: { secret } })).status).toBe(200);
    await isOnline('UNAUTHENTICATED');
    expect(await own.register(made.data.secret)).not.toBe(200);
    expect(await stateOf(made)).toBe('UNAUTHENTICATED');
    expect(await own.register(secret)).toBe(200);
    await isOnline('AUTHENTICATED');
  });

  test('A deleted extension is gone, and so is its phone', async () => {
    const made = await create();
    const own = await phone(made.data.id);
    expect(await own.register(made.data.secret)).toBe(200);
    expect((await order('DELETE', `/${made._id}`)).status).toBe(200);
    expect(await stack.objectsOf(made.data.id)).toEqual([]);
    expect(await own.register(made.data.secret)).not.toBe(200);
  });

  test.each(WHOLE)('A lost answer to a call about the %s of an extension fails no order', async (type) => {
    let left = 1;
    const loseOne = () => {
      left = 1;
      stack.proxy.decide(({ method, object }) =>
        method !== 'GET' && object.startsWith(`${type}/`) && left-- > 0 ? 'lose-answer' : 'pass',
      );
    };
    loseOne();
    const made = await order('POST', '', draft());
    expect(made).toMatchObject({ status: 201 });
    const { body } = made;
    expect(left).toBeLessThanOrEqual(0);
    loseOne();
    const secret = 'another-secret-2';
    expect((await order('PATCH', `/${body._id}`, { data: { secret } })).status).toBe(200);
    expect((await stack.pjsip('GET', `auth/${body.data.id}`)).attributes['password']).toBe(secret);
    loseOne();
    expect(await order('DELETE', `/${body._id}`)).toMatchObject({ status: 200 });
    expect(await stack.objectsOf(body.data.id)).toEqual([]);
  });

  test('An order whose answers are lost for good gets 502, and nothing of it remains', async () => {
    const body = draft();
    stack.proxy.decide(({ method, object }) =>
      method !== 'GET' && object.startsWith('endpoint/') ? 'lose-answer' : 'pass',
    );
    // It is read back, and exists.
    expect((await order('POST', '', body)).status).toBe(201);
    const lost = draft();
    stack.proxy.decide(() => 'lose-answer');
    expect(await order('POST', '', lost)).toMatchObject(problem(502));
    stack.proxy.decide();
    await settled();
    expect(await stack.objectsOf(lost.data.id)).toEqual([]);
  });

  test('A change that Asterisk only claims to have made gets 502, and such a repair is not reported as repaired', async () => {
    const made = await create();
    const lie = () => stack.proxy.decide(({ method }) => (method === 'GET' ? 'pass' : 'only-say-yes'));
    lie();
    expect(await order('POST', '', draft())).toMatchObject(problem(502));
    const changed = await order('PATCH', `/${made._id}`, { data: { secret: 'a-secret-never-told' } });
    expect(changed).toMatchObject(problem(502));
    expect(changed.body.detail).toContain('holds something else in password; nothing was changed');
    expect(await order('DELETE', `/${made._id}`)).toMatchObject(problem(502));
    await settled();
    stack.proxy.decide();
    await stack.pjsip('PUT', `auth/${made.data.id}`, { password: 'stolen' });
    lie();
    const lied = await drift();
    expect(lied).toMatchObject({ is_complete: false, changed: [made.data.id], repaired: [] });
    stack.proxy.decide();
    expect(await drift()).toMatchObject({ is_complete: true, repaired: [made.data.id] });
    expect((await stack.pjsip('GET', `auth/${made.data.id}`)).attributes['password']).toBe(made.data.secret);
  });

  test('A field that Asterisk does not support is stored in the database and named in warnings', async () => {
    const { body } = await order(
      'POST',
      '',
      draft({ ringtimer: '25', outboundcid: '"Desk" <5551>', transport: 'udp' }),
    );
    expect(body.data).toMatchObject({ ringtimer: '25', outboundcid: '"Desk" <5551>' });
    expect(body.warnings.map((words: string) => words.split(':')[0])).toEqual(['data.outboundcid', 'data.ringtimer']);
    const { supported_fields: supported } = (await stack.people.owner('GET', `/instances/${ASTERISK}`)).body;
    expect(supported).toEqual(expect.arrayContaining(['allow', 'transport', 'media_encryption']));
    expect(supported).not.toContain('ringtimer');
  });

  test('An order during which Asterisk is killed gets 502, and nothing of it remains after the restart', async () => {
    const body = draft();
    stack.proxy.decide(async ({ method, object }) => {
      if (method !== 'PUT' || !object.startsWith('endpoint/')) return 'pass';
      await stack.writtenDown();
      await stack.kill();
      return 'lose-request';
    });
    expect(await order('POST', '', body)).toMatchObject(problem(502));
    stack.proxy.decide();
    await stack.start();
    expect(await stack.objectsOf(body.data.id)).toEqual(['auth', 'aor']);
    await settled();
    expect(await stack.objectsOf(body.data.id)).toEqual([]);
    expect((await order('POST', '', body)).status).toBe(201);
    // It lost its most recent changes when it was killed.
    expect(await drift()).toMatchObject({ is_complete: true, detail: '' });
  });

  test('While Asterisk starts, a deletion gets 502 until it is really done', async () => {
    const made = await create();
    await stack.writtenDown();
    await stack.kill();
    expect(await order('DELETE', `/${made._id}`)).toMatchObject(problem(502));
    const started = stack.start();
    const statuses: number[] = [];
    do statuses.push((await order('DELETE', `/${made._id}`)).status);
    while (statuses.at(-1) === 502);
    await started;
    expect(statuses.at(-1)).toBe(200);
    await settled();
    expect(await stack.objectsOf(made.data.id)).toEqual([]);
  });

  test('Extensions without codecs are repaired, although Asterisk lists none of them after a restart', async () => {
    const [one, two] = [await create(), await create()];
    for (const { data } of [one, two]) await stack.pjsip('PUT', `endpoint/${data.id}`, { disallow: 'all' });
    expect(await stack.objectsOf(one.data.id)).toEqual(['auth', 'aor']);
    await stack.writtenDown();
    await stack.kill();
    await stack.start();
    expect((await order('DELETE', `/${two._id}`)).status).toBe(200);
    expect(await drift()).toMatchObject({ changed: [one.data.id], missing: [], unknown: [], is_complete: true });
    expect(await stack.objectsOf(one.data.id)).toEqual(WHOLE);
    expect(await (await phone(one.data.id)).register(one.data.secret)).toBe(200);
    expect(await stack.pjsip('PUT', `endpoint/${two.data.id}`, { allow: 'ulaw' })).toMatchObject({
      // Created again: nothing of the old one was left.
      attributes: { context: 'default' },
    });
  });
});
