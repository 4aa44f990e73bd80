// Calls that a click begins: who may, once for each order, and what a telephone that is away gets.
import { openTelephony, type TelephonyStack } from '../../../support/telephony/telephony';
import { passAnHour } from '../../../support/telephony/pbx-undos';
import { until } from '../../../support/until';
import { INSTANCE_ONE, INSTANCE_TWO, problem } from '../people';

let stack: TelephonyStack;

beforeAll(async () => {
  stack = await openTelephony();
});
afterEach(() => stack.pbx.fault({ mode: 'ok' }));
afterAll(() => stack.close());

const PBX = `/instances/${INSTANCE_ONE}`;
const TO = '+15550100009';
let next = 100;

async function extension(more: object = {}) {
  const number = ++next;
  const data = { id: number, name: `Phone ${number}` };
  const made = await stack.people.owner('POST', `${PBX}/bulks/extensions`, { data, ...more });
  expect(made.status).toBe(201);
  return { number, id: made.body._id as string, path: `${PBX}/extensions/${made.body._id}/calls` };
}
const atPbx = async (id: string): Promise<unknown> => {
  const answer = await fetch(`${stack.pbx.url}${PBX}/calls/${id}`);
  return answer.status === 404 ? undefined : answer.json();
};

test('A click rings the telephone of the extension and then the number, under the id of the order', async () => {
  const { number, id, path } = await extension();
  const made = await stack.people.owner('POST', path, { to: '+1 (555) 010-0009' });
  expect(made).toMatchObject({
    status: 201,
    body: {
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      instance_uuid: INSTANCE_ONE,
      extension_id: id,
      from: number,
      to: TO,
    },
  });
  expect(await atPbx(made.body.id)).toMatchObject({ from: number, to: TO });
  const order = await stack.people.owner('GET', `/operations/${made.body.id}`);
  expect(order.body).toMatchObject({
    object: 'call',
    kind: 'create',
    state: 'succeeded',
    extension_id: id,
    result: made.body,
  });
});

test('A repeated click with the same Idempotency-Key is the same call', async () => {
  const { path } = await extension();
  const headers = { 'Idempotency-Key': 'one-click' };
  const [first, second] = await Promise.all(
    [1, 2].map(() => stack.people.owner('POST', path, { to: TO }, { headers })),
  );
  expect(first!.status).toBe(201);
  expect(second!.body).toEqual(first!.body);
});

test('Users call with their own extension, the owner with any', async () => {
  const { ids, member, owner, stranger } = stack.people;
  const own = await extension({ user: { id: ids.member } });
  const others = await extension({ user: { id: ids.owner } });
  const nobodys = await extension();
  expect((await member('POST', own.path, { to: TO })).status).toBe(201);
  expect(await member('POST', others.path, { to: TO })).toMatchObject(problem(403));
  expect(await member('POST', nobodys.path, { to: TO })).toMatchObject(problem(403));
  expect((await owner('POST', own.path, { to: TO })).status).toBe(201);
  expect(await stranger('POST', own.path, { to: TO })).toMatchObject(problem(404));
});

test('Emergency numbers are refused, those of the instance or the usual ones, and so is what is no number', async () => {
  const { path } = await extension();
  const refusals = async (all: readonly string[]) => {
    for (const to of all) expect(await stack.people.owner('POST', path, { to })).toMatchObject(problem(400));
  };
  await refusals(['112', '911', '110', '+112', '1 1 2', 'PJSIP/101', '*72101', '']);
  expect((await stack.people.owner('GET', PBX)).body.emergency_numbers).toEqual(['112', '911', '110']);
  const { mysql } = stack.worker;
  await mysql('tel_instances')
    .where({ uuid: INSTANCE_ONE })
    .update({ details: JSON.stringify({ emergency: '999' }) });
  await refusals(['999']);
  expect((await stack.people.owner('POST', path, { to: '110' })).status).toBe(201);
  await mysql('tel_instances').where({ uuid: INSTANCE_ONE }).update({ details: '{}' });
});

test('A telephone that is not registered gets 400 that says so', async () => {
  const { number, path } = await extension();
  await stack.pbx.remove(INSTANCE_ONE, number);
  const refused = await stack.people.owner('POST', path, { to: TO });
  expect(refused).toMatchObject(problem(400));
  expect(refused.body.detail).toBe(`The telephone of the extension ${number} is not registered`);
});

test('A lost answer rings nobody twice, and a call of which nobody knows is ended', async () => {
  const { path } = await extension();
  await stack.pbx.fault({ mode: 'drop-after-apply', times: 1, changes: true });
  expect((await stack.people.owner('POST', path, { to: TO })).status).toBe(201);
  await stack.pbx.fault({ mode: 'reset', times: 1, changes: true });
  expect(await stack.people.owner('POST', path, { to: TO })).toMatchObject(problem(502));
  await stack.pbx.fault({ mode: 'drop-after-apply' });
  expect(await stack.people.owner('POST', path, { to: TO })).toMatchObject(problem(502));
  await stack.pbx.fault({ mode: 'ok' });
  await passAnHour(stack.worker.mysql, INSTANCE_ONE);
  await until(
    () => stack.worker.mysql('tel_operations').where({ state: 'undoing' }).pluck('id'),
    (ids: string[]) => ids.length === 0,
  );
  const failed = (await stack.worker
    .mysql('tel_operations')
    .where({ object: 'call', state: 'failed' })
    .pluck('id')) as string[];
  expect(failed.length).toBeGreaterThanOrEqual(2);
  for (const id of failed) expect(await atPbx(id)).toBeUndefined();
});

test('A kind of PBX that begins no calls says so', async () => {
  const { stranger } = stack.people;
  const pbx = `/instances/${INSTANCE_TWO}`;
  const made = await stranger('POST', `${pbx}/bulks/extensions`, { data: { id: 101, name: 'Desk' } });
  await stack.worker.mysql('tel_instances').where({ uuid: INSTANCE_TWO }).update({ backend: 'kamailio' });
  const refused = await stranger('POST', `${pbx}/extensions/${made.body._id}/calls`, { to: TO });
  expect(refused).toMatchObject(problem(400));
  expect(refused.body.detail).toBe('this kind of PBX (kamailio) does not begin calls by a click');
  expect((await stranger('GET', pbx)).body.click_to_call).toBe(false);
});
