import { openTelephony, type TelephonyStack } from '../support/telephony';
import { until } from '../support/until';
import { INSTANCE_ONE, problem } from '../api/telephony/people';

let stack: TelephonyStack;

beforeAll(async () => {
  stack = await openTelephony(
    {
      PBX_CALL_MS: '1500',
      PBX_OPERATION_MS: '8000',
      PBX_LATE_MS: '1000',
      PBX_SWEEP_MS: '200',
      BREAKER_FAILURES: '1000',
    },
    'asterisk-ari',
  );
});
afterEach(() => stack.pbx.fault({ mode: 'ok' }));
afterAll(() => stack.close());

const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;
let next = 5000;
const draft = (more: object = {}) => ({ data: { id: ++next, name: `Phone ${next}`, ...more } });
const headers = { authorization: `Basic ${Buffer.from('partyline:ari-password').toString('base64')}` };
const objectOf = async (type: string, id: number): Promise<Record<string, string> | undefined> => {
  const path = `/asterisk/${INSTANCE_ONE}/ari/asterisk/config/dynamic/res_pjsip/${type}/${id}`;
  const answer = await fetch(`${stack.pbx.url}${path}`, { headers });
  if (answer.status === 404) return undefined;
  const list = (await answer.json()) as { attribute: string; value: string }[];
  return Object.fromEntries(list.map(({ attribute, value }) => [attribute, value]));
};
const heldOf = async (number: number) => (await stack.pbx.holds(INSTANCE_ONE)).find((each) => each.number === number);

test('an extension is an auth, an aor and an endpoint', async () => {
  const more = { max_contacts: '3', sendrpid: 'pai', dtmfmode: 'rfc2833', namedpickupgroup: '7', allow: 'ulaw,alaw' };
  const { status, body } = await stack.people.owner('POST', PATH, draft(more));
  expect(status).toBe(201);
  const { id, secret, name } = body.data;
  expect(await objectOf('auth', id)).toMatchObject({ auth_type: 'userpass', username: String(id), password: secret });
  expect(await objectOf('aor', id)).toMatchObject({ max_contacts: '3', maximum_expiration: '7200' });
  expect(await objectOf('endpoint', id)).toMatchObject({
    aors: String(id),
    auth: String(id),
    callerid: `"${name}" <${id}>`,
    context: 'from-internal',
    dtmf_mode: 'rfc4733',
    send_pai: 'yes',
    send_rpid: 'no',
    named_pickup_group: '7',
    disallow: 'all',
    allow: 'ulaw,alaw',
  });
  expect((await stack.people.owner('DELETE', `${PATH}/${body._id}`)).status).toBe(200);
  for (const type of ['auth', 'aor', 'endpoint']) expect(await objectOf(type, id)).toBeUndefined();
});

test('what it refuses in the middle leaves nothing of it', async () => {
  const body = draft({ device_state_busy_at: '5', transport: '0.0.0.0-udp', accountcode: 'x' });
  // Each of its three parts takes a second, and the list shows at once when the first is there.
  await stack.pbx.fault({ instance: INSTANCE_ONE, mode: 'slow', delay_ms: 1000 });
  const placed = stack.people.owner('POST', PATH, body);
  await until(
    () => heldOf(body.data.id),
    (held) => held !== undefined,
  );
  await stack.pbx.fault({ instance: INSTANCE_ONE, mode: 'error' });
  const answer = await placed;
  await stack.pbx.fault({ mode: 'ok' });
  expect(answer).toMatchObject(problem(502));
  await until(
    () => heldOf(body.data.id),
    (held) => held === undefined,
    10_000,
  );
  expect((await stack.people.owner('POST', PATH, body)).status).toBe(201);
});

test('where phones are shows in the list', async () => {
  const { body } = await stack.people.owner('POST', PATH, draft());
  const stateOf = async () => (await stack.people.owner('GET', `${PATH}/${body._id}`)).body.subscriber.state;
  expect(await stateOf()).toBe('UNAUTHENTICATED');
  await fetch(`${stack.pbx.url}/asterisk/${INSTANCE_ONE}/simulated/online/${body.data.id}`, { method: 'PUT' });
  expect(await stateOf()).toBe('AUTHENTICATED');
});

test('a user that may only read is a 502 that says so', async () => {
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
