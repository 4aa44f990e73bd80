import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { until } from '../../support/until';
import { INSTANCE_ONE, problem } from '../../api/telephony/people';

let stack: TelephonyStack;

beforeAll(async () => {
  stack = await openTelephony({ PBX_LATE_MS: '1000', PBX_SWEEP_MS: '200', BREAKER_FAILURES: '1000' }, 'asterisk-ari');
});
afterEach(async () => {
  await stack.pbx.fault({ mode: 'ok' });
  await simulated('phase', { phase: 'up' });
});
afterAll(() => stack.close());

const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;
const BASE = `/asterisk/${INSTANCE_ONE}`;
let next = 5000;
const draft = (more: object = {}) => ({ data: { id: ++next, name: `Phone ${next}`, ...more } });
const headers = { authorization: `Basic ${Buffer.from('partyline:ari-password').toString('base64')}` };
const simulated = (path: string, body: object = {}) =>
  fetch(`${stack.pbx.url}${BASE}/simulated/${path}`, { method: 'PUT', body: JSON.stringify(body) });

const pjsip = (method: string, [type, id]: [string, number], fields?: Record<string, string>) =>
  fetch(`${stack.pbx.url}${BASE}/ari/asterisk/config/dynamic/res_pjsip/${type}/${id}`, {
    method,
    headers,
    ...(fields
      ? { body: JSON.stringify({ fields: Object.entries(fields).map(([attribute, value]) => ({ attribute, value })) }) }
      : {}),
  });
const objectOf = async (type: string, id: number): Promise<Record<string, string> | undefined> => {
  const answer = await pjsip('GET', [type, id]);
  if (answer.status === 404) return undefined;
  const list = (await answer.json()) as { attribute: string; value: string }[];
  return Object.fromEntries(list.map(({ attribute, value }) => [attribute, value]));
};
const heldOf = async (number: number) => (await stack.pbx.holds(INSTANCE_ONE)).find((each) => each.number === number);
const create = async (more: object = {}) => (await stack.people.owner('POST', PATH, draft(more))).body;
const drift = async () => (await stack.people.owner('POST', `/instances/${INSTANCE_ONE}/drift`)).body;

/** As earlier releases wrote every extension without codecs. */
async function loseCodecs(id: number): Promise<void> {
  await pjsip('PUT', ['endpoint', id], { disallow: 'all' });
  expect(await objectOf('endpoint', id)).toBeUndefined();
}

test('An extension is stored in Asterisk as an auth, an aor and an endpoint', async () => {
  const more = { max_contacts: '3', sendrpid: 'pai', dtmfmode: 'rfc2833', namedpickupgroup: '7', allow: 'alaw&g722' };
  const { status, body } = await stack.people.owner('POST', PATH, draft(more));
  expect(status).toBe(201);
  const { id, secret, name } = body.data;
  expect(await objectOf('auth', id)).toMatchObject({ auth_type: 'userpass', username: String(id), password: secret });
  expect(await objectOf('aor', id)).toMatchObject({ max_contacts: '3', maximum_expiration: '7200' });
  expect(await objectOf('endpoint', id)).toMatchObject({
    aors: String(id),
    auth: String(id),
    callerid: `"${name}" <${id}>`,
    callerid_tag: expect.stringMatching(/^partyline:\w/),
    context: 'from-internal',
    dtmf_mode: 'rfc4733',
    send_pai: 'true',
    send_rpid: 'false',
    named_pickup_group: '7',
    allow: '(alaw|g722)',
  });
  expect((await stack.people.owner('DELETE', `${PATH}/${body._id}`)).status).toBe(200);
  for (const type of ['auth', 'aor', 'endpoint']) expect(await objectOf(type, id)).toBeUndefined();
});

test('An extension that names no codecs has those of its instance, or the usual ones', async () => {
  const { mysql } = stack.worker;
  const usual = await create();
  expect(await objectOf('endpoint', usual.data.id)).toMatchObject({ allow: '(ulaw|alaw)' });
  const { details } = await mysql('tel_instances').where({ uuid: INSTANCE_ONE }).first('details');
  const set = (text: string) => mysql('tel_instances').where({ uuid: INSTANCE_ONE }).update({ details: text });
  await set(JSON.stringify({ ...JSON.parse(details), codecs: 'g722,opus' }));
  const own = await create();
  expect(await objectOf('endpoint', own.data.id)).toMatchObject({ allow: '(g722|opus)' });
  await set(details);
  await drift();
});

test('Extensions without codecs are repaired by a comparison, although Asterisk lists none of them', async () => {
  const [first, second, third] = [await create(), await create(), await create()];
  await loseCodecs(first.data.id);
  await loseCodecs(second.data.id);
  await simulated('restart');
  const report = await drift();
  expect(report).toMatchObject({ missing: [], unknown: [], leftover: [], is_complete: true });
  expect(report.changed).toEqual([first.data.id, second.data.id]);
  expect(report.repaired).toEqual([first.data.id, second.data.id]);
  for (const { data } of [first, second, third]) {
    expect(await objectOf('endpoint', data.id)).toMatchObject({ allow: '(ulaw|alaw)', auth: String(data.id) });
  }
  expect(await drift()).toMatchObject({ changed: [], missing: [] });
});

test('An extension without codecs can be changed and deleted', async () => {
  const [changed, deleted] = [await create(), await create()];
  await loseCodecs(changed.data.id);
  await loseCodecs(deleted.data.id);
  const put = await stack.people.owner('PUT', `${PATH}/${changed._id}`, { data: { name: 'Mended' } });
  expect(put.status).toBe(200);
  expect(await objectOf('endpoint', changed.data.id)).toMatchObject({ callerid: `"Mended" <${changed.data.id}>` });
  expect((await stack.people.owner('DELETE', `${PATH}/${deleted._id}`)).status).toBe(200);
  expect(await heldOf(deleted.data.id)).toBeUndefined();
});

test.each(['no-ari', 'not-booted'])(
  'While Asterisk starts (%s), orders get 502 and no extension is reported as missing',
  async (phase) => {
    const made = await create();
    await simulated('phase', { phase });
    const deleted = await stack.people.owner('DELETE', `${PATH}/${made._id}`);
    expect(deleted).toMatchObject(problem(502));
    expect(deleted.body.detail).toContain('The PBX is starting');
    expect(await stack.people.owner('POST', PATH, draft())).toMatchObject(problem(502));
    expect(await drift()).toMatchObject({ is_complete: false, missing: [], repaired: [] });
    await simulated('phase', { phase: 'up' });
    expect((await stack.people.owner('GET', `${PATH}/${made._id}`)).status).toBe(200);
    expect(await heldOf(made.data.id)).toMatchObject({ secret: made.data.secret });
    expect((await stack.people.owner('DELETE', `${PATH}/${made._id}`)).status).toBe(200);
    expect(await heldOf(made.data.id)).toBeUndefined();
  },
);

test('An order that Asterisk refuses in the middle leaves nothing behind', async () => {
  const body = draft({ allow: 'ulaw,nosuch' });
  const refused = await stack.people.owner('POST', PATH, body);
  expect(refused).toMatchObject(problem(502));
  expect(refused.body.detail).toContain('failed field value validation');
  await until(
    () => heldOf(body.data.id),
    (held) => held === undefined,
  );
  expect((await stack.people.owner('POST', PATH, { data: { ...body.data, allow: 'ulaw' } })).status).toBe(201);
});

test('A change of secret drops the phone that is registered, and no other change does', async () => {
  const made = await create();
  const stateOf = async () => (await stack.people.owner('GET', `${PATH}/${made._id}`)).body.subscriber.state;
  expect(await stateOf()).toBe('UNAUTHENTICATED');
  await simulated(`online/${made.data.id}`);
  expect(await stateOf()).toBe('AUTHENTICATED');
  const patch = (data: object) => stack.people.owner('PATCH', `${PATH}/${made._id}`, { data });
  expect((await patch({ name: 'Other', max_contacts: '2' })).status).toBe(200);
  expect(await stateOf()).toBe('AUTHENTICATED');
  expect((await patch({ secret: 'another-secret-7' })).status).toBe(200);
  expect(await stateOf()).toBe('UNAUTHENTICATED');
  expect(await objectOf('aor', made.data.id)).toMatchObject({ max_contacts: '2' });
});

test('Credentials of an Asterisk user who may only read cause a 502 that says so', async () => {
  const { mysql, secrets } = stack.worker;
  const { credentials } = await mysql('tel_instances').where({ uuid: INSTANCE_ONE }).first('credentials');
  const set = (sealed: string) => mysql('tel_instances').where({ uuid: INSTANCE_ONE }).update({ credentials: sealed });
  await set(secrets.encrypt('reader:ari-reader'));
  const reader = await stack.people.owner('POST', PATH, draft());
  await set(secrets.encrypt('nobody:at-all'));
  const nobody = await stack.people.owner('POST', PATH, draft());
  await set(credentials);
  expect(reader).toMatchObject(problem(502));
  expect(reader.body.detail).toContain('403: Write access denied');
  expect(nobody.body.detail).toContain('refuses our credentials');
});

test('A transport that Asterisk does not have gets 400 that names the field, and leaves nothing behind', async () => {
  for (const transport of ['nosuch', 'a/b', '..', 'x'.repeat(255)]) {
    const body = draft({ transport });
    const refused = await stack.people.owner('POST', PATH, body);
    expect(refused).toMatchObject(problem(400));
    expect(refused.body.detail).toBe('data.transport: the PBX has nothing of that name');
    expect(await heldOf(body.data.id)).toBeUndefined();
    expect((await stack.people.owner('POST', PATH, { data: { ...body.data, transport: 'udp' } })).status).toBe(201);
  }
});

test('A change to a transport that Asterisk does not have gets 400, and one that was stored may stay', async () => {
  const made = await create({ transport: 'udp' });
  const patch = (data: object) => stack.people.owner('PATCH', `${PATH}/${made._id}`, { data });
  expect(await patch({ name: 'Other', transport: 'nosuch' })).toMatchObject(problem(400));
  expect(await objectOf('endpoint', made.data.id)).toMatchObject({ transport: 'udp' });
  const { mysql } = stack.worker;
  const { data } = await mysql('tel_extensions').where({ id: made._id }).first('data');
  const former = JSON.stringify({ ...JSON.parse(data), transport: 'gone' });
  await mysql('tel_extensions').where({ id: made._id }).update({ data: former });
  expect((await patch({ name: 'Other', transport: 'gone' })).status).toBe(200);
  expect(await objectOf('endpoint', made.data.id)).toMatchObject({ transport: 'gone' });
});

test('An order with voicemail gets a warning that Asterisk has no mailbox, and a name that is too long gets 400', async () => {
  expect((await create({ voicemail: 'default' })).warnings).toEqual([
    'data.voicemail: this kind of PBX (asterisk-ari) only shows on the phone whether a mailbox has messages, and makes no mailbox',
  ]);
  const long = await stack.people.owner('POST', PATH, draft({ name: 'ü'.repeat(40) }));
  expect(long).toMatchObject(problem(400));
  expect(long.body.detail).toBe('data.name: this kind of PBX (asterisk-ari) takes at most 79 bytes');
});

test('The list of extensions without a phone has those that are not registered', async () => {
  const [without, registered] = [await create(), await create()];
  await simulated(`online/${registered.data.id}`);
  const { status, body } = await stack.people.owner('GET', `${PATH}?filter_by=unregistered&page_size=1000`);
  expect(status).toBe(200);
  const listed = (body as { _id: string }[]).map(({ _id: id }) => id);
  expect(listed).toContain(without._id);
  expect(listed).not.toContain(registered._id);
});

test('The state of phones is unknown while Asterisk is unreachable', async () => {
  const made = await create();
  expect(made.subscriber.state).toBe('UNKNOWN');
  await simulated('phase', { phase: 'not-booted' });
  const { body } = await stack.people.owner('GET', `${PATH}/${made._id}`);
  expect(body.subscriber.state).toBe('UNKNOWN');
});
