// Numbers from outside: where their calls go, by orders to the PBX.
import { openTelephony, type TelephonyStack } from '../../../support/telephony/telephony';
import { INSTANCE_ONE, INSTANCE_TWO, problem } from '../people';

let stack: TelephonyStack;

beforeAll(async () => {
  stack = await openTelephony();
  const list = `/instances/${INSTANCE_ONE}/bulks/extensions`;
  await stack.people.owner('POST', list, { data: { id: 101, name: 'Desk', voicemail: 'default' } });
});
afterEach(() => stack.pbx.fault({ mode: 'ok' }));
afterAll(() => stack.close());

const PBX = `/instances/${INSTANCE_ONE}`;
const PATH = `${PBX}/numbers`;
const TO_101 = { type: 'extension', number: 101 };
let next = 100;
const phone = () => `+1555020${String((next += 1)).padStart(4, '0')}`;
const owner = (method: string, path: string, body?: object) => stack.people.owner(method, path, body);
const make = async (destination: object = TO_101) => {
  const answer = await owner('POST', PATH, { number: phone(), name: 'Main', destination });
  expect(answer.status).toBe(201);
  return answer.body;
};
const heldAt = async (number: string): Promise<Record<string, unknown> | undefined> => {
  const answer = await fetch(`${stack.pbx.url}${PATH}/${number.slice(1)}`);
  return answer.status === 404 ? undefined : ((await answer.json()) as Record<string, unknown>);
};

test('A number leads to an extension, then to a mailbox, and is taken away', async () => {
  const made = await make();
  expect(made).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    instance_uuid: INSTANCE_ONE,
    number: expect.stringMatching(/^\+1555020\d{4}$/),
    name: 'Main',
    destination: TO_101,
    created: expect.any(String),
    updated: expect.any(String),
  });
  expect(await heldAt(made.number)).toMatchObject({ destination: TO_101 });
  const destination = { type: 'voicemail', number: 101 };
  expect(await owner('PATCH', `${PATH}/${made.id}`, { destination })).toMatchObject({
    status: 200,
    body: { destination },
  });
  expect(await heldAt(made.number)).toMatchObject({ destination });
  expect((await owner('GET', PATH)).body).toContainEqual(expect.objectContaining({ id: made.id, destination }));
  expect((await owner('DELETE', `${PATH}/${made.id}`)).status).toBe(200);
  expect(await heldAt(made.number)).toBeUndefined();
});

test('The company is told of each change of numbers and ring groups', async () => {
  const after = (await owner('GET', '/events')).headers.get('x-event-seq')!;
  const made = await make({ type: 'hangup' });
  await owner('PATCH', `${PATH}/${made.id}`, { name: 'Other' });
  await owner('DELETE', `${PATH}/${made.id}`);
  const group = (await owner('POST', `${PBX}/ring-groups`, { number: 600, name: 'All', members: ['101'] })).body;
  await owner('DELETE', `${PBX}/ring-groups/${group.id}`);
  const heard = (await owner('GET', `/events?after=${after}`)).body;
  expect(heard.map(({ name, payload }: { name: string; payload: object }) => [name, payload])).toEqual([
    ['number.updated', made],
    ['number.updated', expect.objectContaining({ id: made.id, name: 'Other' })],
    ['number.deleted', { id: made.id, instance_uuid: INSTANCE_ONE }],
    ['ring_group.updated', group],
    ['ring_group.deleted', { id: group.id, instance_uuid: INSTANCE_ONE }],
  ]);
});

test('A number leads somewhere once on a PBX, also if companies share it', async () => {
  const { number } = await make();
  const body = { number, destination: { type: 'busy' } };
  expect(await owner('POST', PATH, body)).toMatchObject(problem(400));
  expect(await stack.people.stranger('POST', `/instances/${INSTANCE_TWO}/numbers`, body)).toMatchObject(problem(400));
});

test('Numbers that are none, and destinations that are not there, get 400', async () => {
  for (const [body, word] of [
    [{ number: '101', destination: TO_101 }, 'number'],
    [{ number: phone(), destination: { type: 'extension', number: 199 } }, 'destination: there is no extension 199'],
    [{ number: phone(), destination: { type: 'elsewhere' } }, 'destination.type'],
    [{ number: phone() }, 'destination'],
  ] as const) {
    const refused = await owner('POST', PATH, body);
    expect(refused).toMatchObject(problem(400));
    expect(refused.body.detail).toContain(word);
  }
});

test('A failing PBX gets 502, and its number is free again', async () => {
  const body = { number: phone(), name: '', destination: TO_101 };
  await stack.pbx.fault({ mode: 'error' });
  expect(await owner('POST', PATH, body)).toMatchObject(problem(502));
  await stack.pbx.fault({ mode: 'ok' });
  expect((await owner('POST', PATH, body)).status).toBe(201);
});

test('A kind of PBX that has no numbers, groups or forwards says so', async () => {
  await stack.worker.mysql('tel_instances').where({ uuid: INSTANCE_TWO }).update({ backend: 'kamailio' });
  const { stranger } = stack.people;
  const pbx = `/instances/${INSTANCE_TWO}`;
  const refused = await stranger('POST', `${pbx}/numbers`, { number: phone(), destination: { type: 'busy' } });
  expect(refused).toMatchObject(problem(400));
  expect(refused.body.detail).toBe('this kind of PBX (kamailio) does not take numbers from outside');
  const group = await stranger('POST', `${pbx}/ring-groups`, { number: 600, name: 'All', members: ['101'] });
  expect(group).toMatchObject(problem(400));
  expect((await stranger('GET', pbx)).body).toMatchObject({
    role: 'registrar',
    arrangements: [],
    click_to_call: false,
  });
  expect((await owner('GET', PBX)).body).toMatchObject({
    role: 'pbx',
    arrangements: ['ring-group', 'number', 'forwards'],
    click_to_call: true,
  });
});
