// Ring groups: routes, orders to the PBX, read-back, undo, drift and events.
import { openTelephony, type TelephonyStack } from '../../../support/telephony/telephony';
import { passAnHour } from '../../../support/telephony/pbx-undos';
import { until } from '../../../support/until';
import { INSTANCE_ONE, problem } from '../people';

let stack: TelephonyStack;

beforeAll(async () => {
  stack = await openTelephony();
});
afterEach(() => stack.pbx.fault({ mode: 'ok' }));
afterAll(() => stack.close());

const PBX = `/instances/${INSTANCE_ONE}`;
const PATH = `${PBX}/ring-groups`;
let next = 600;
const draft = (more: object = {}) => ({
  number: ++next,
  name: `Group ${next}`,
  members: ['101', '+1 (555) 010-0003'],
  ...more,
});
const owner = (method: string, path: string, body?: object) => stack.people.owner(method, path, body);
const make = async (more: object = {}) => {
  const answer = await owner('POST', PATH, draft(more));
  expect(answer.status).toBe(201);
  return answer.body;
};
const held = async (): Promise<Record<string, unknown>[]> =>
  (await fetch(`${stack.pbx.url}${PBX}/ring-groups`)).json() as Promise<Record<string, unknown>[]>;
const heldAt = async (number: number) => (await held()).find((each) => each['number'] === number);
const atPbx = (method: string, number: number, body?: object) =>
  fetch(`${stack.pbx.url}${PBX}/ring-groups/${number}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
const settled = async () => {
  await passAnHour(stack.worker.mysql, INSTANCE_ONE);
  await until(
    () => stack.worker.mysql('tel_operations').whereIn('state', ['pending', 'running', 'undoing']).pluck('state'),
    (states: string[]) => states.length === 0,
  );
};

test('A ring group is made on the PBX and in the database, changed on both, and removed from both', async () => {
  const made = await make({ prefix: 'Sales:', no_answer: { type: 'busy' } });
  expect(made).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    instance_uuid: INSTANCE_ONE,
    number: next,
    name: `Group ${next}`,
    members: ['101', '+15550100003'],
    strategy: 'ringall',
    ring_time: 20,
    prefix: 'Sales:',
    no_answer: { type: 'busy', number: null },
    created: expect.any(String),
    updated: expect.any(String),
  });
  expect(await heldAt(made.number)).toMatchObject({ members: made.members, operation: expect.any(String) });
  expect((await owner('GET', `${PATH}/${made.id}`)).body).toEqual(made);
  expect((await owner('GET', PATH)).body).toContainEqual(made);
  const changed = await owner('PATCH', `${PATH}/${made.id}`, { members: ['102'], strategy: 'hunt' });
  expect(changed).toMatchObject({ status: 200, body: { members: ['102'], strategy: 'hunt', prefix: 'Sales:' } });
  expect(await heldAt(made.number)).toMatchObject({ members: ['102'], strategy: 'hunt', prefix: 'Sales:' });
  expect((await owner('DELETE', `${PATH}/${made.id}`)).status).toBe(200);
  expect(await heldAt(made.number)).toBeUndefined();
  expect(await owner('GET', `${PATH}/${made.id}`)).toMatchObject(problem(404));
  const trail = await owner('GET', `/company/audit?object_id=${made.id}`);
  expect(trail.body.map(({ action }: { action: string }) => action)).toEqual([
    'ring-group.delete',
    'ring-group.update',
    'ring-group.create',
  ]);
});

test('Requests that lead nowhere get 400 that names the field', async () => {
  const group = await make();
  for (const [body, word] of [
    [{ members: [] }, 'members'],
    [{ members: ['PJSIP/101'] }, 'members'],
    [{ members: ['101', '101'] }, 'members: one is named twice'],
    [{ members: [String(group.number)] }, `members: ${group.number} is a ring group`],
    [{ no_answer: { type: 'extension', number: 199 } }, 'no_answer: there is no extension 199'],
    [{ no_answer: { type: 'ring_group', number: 699 } }, 'no_answer: there is no ring group 699'],
    [{ no_answer: { type: 'busy', number: 101 } }, 'no_answer.number'],
    [{ no_answer: { type: 'voicemail' } }, 'no_answer.number'],
    [{ ring_time: 0 }, 'ring_time'],
    [{ strategy: 'random' }, 'strategy'],
  ] as const) {
    const refused = await owner('POST', PATH, draft(body));
    expect(refused).toMatchObject(problem(400));
    expect(refused.body.detail).toContain(word);
  }
  const self = { no_answer: { type: 'ring_group', number: group.number } };
  expect(await owner('PATCH', `${PATH}/${group.id}`, self)).toMatchObject(problem(400));
  expect(await owner('POST', PATH, draft({ number: group.number }))).toMatchObject(problem(400));
});

test('A number belongs to an extension or to a ring group, and a voicemail needs a mailbox', async () => {
  const list = `${PBX}/bulks/extensions`;
  const box = await owner('POST', list, { data: { id: 801, name: 'Box', voicemail: 'default' } });
  expect(box.status).toBe(201);
  await owner('POST', list, { data: { id: 802, name: 'No box', voicemail: 'novm' } });
  expect(await owner('POST', PATH, draft({ number: 801 }))).toMatchObject(problem(400));
  const group = await make({ no_answer: { type: 'voicemail', number: 801 } });
  expect(await owner('POST', list, { data: { id: group.number, name: 'Same' } })).toMatchObject(problem(400));
  const boxless = await owner('POST', PATH, draft({ no_answer: { type: 'voicemail', number: 802 } }));
  expect(boxless).toMatchObject(problem(400));
});

test('A ring group that calls lead to is not removed', async () => {
  const last = await make();
  const first = await make({ no_answer: { type: 'ring_group', number: last.number } });
  const refused = await owner('DELETE', `${PATH}/${last.id}`);
  expect(refused).toMatchObject(problem(400));
  expect(refused.body.detail).toContain(`ring group ${first.number}`);
  expect((await owner('DELETE', `${PATH}/${first.id}`)).status).toBe(200);
  expect((await owner('DELETE', `${PATH}/${last.id}`)).status).toBe(200);
});

test('Only the owner changes ring groups, and another company sees none of them', async () => {
  const made = await make();
  const { member, stranger } = stack.people;
  expect((await member('GET', `${PATH}/${made.id}`)).status).toBe(200);
  expect(await member('PATCH', `${PATH}/${made.id}`, { name: 'Mine' })).toMatchObject(problem(403));
  expect(await stranger('GET', PATH)).toMatchObject(problem(404));
});

test.each(['error', 'only-say-yes', 'garbage'])(
  'A PBX that fails with %s gets 502, and nothing is left',
  async (mode) => {
    const body = draft();
    await stack.pbx.fault({ mode, changes: true });
    expect(await owner('POST', PATH, body)).toMatchObject(problem(502));
    await stack.pbx.fault({ mode: 'ok' });
    await settled();
    expect(await heldAt(body.number)).toBeUndefined();
    const made = (await owner('POST', PATH, body)).body;
    await stack.pbx.fault({ mode, changes: true });
    expect(await owner('PATCH', `${PATH}/${made.id}`, { name: 'Other' })).toMatchObject(problem(502));
    expect(await owner('DELETE', `${PATH}/${made.id}`)).toMatchObject(problem(502));
    await stack.pbx.fault({ mode: 'ok' });
    await settled();
    expect(await heldAt(body.number)).toMatchObject({ name: body.name });
    expect((await owner('GET', `${PATH}/${made.id}`)).body).toEqual(made);
  },
);

test('A lost answer fails no order, and a repeated Idempotency-Key makes one ring group', async () => {
  await stack.pbx.fault({ mode: 'drop-after-apply', times: 1, changes: true });
  const body = draft();
  const headers = { 'Idempotency-Key': 'a-group' };
  const made = await stack.people.owner('POST', PATH, body, { headers });
  expect(made.status).toBe(201);
  expect((await stack.people.owner('POST', PATH, body, { headers })).body).toEqual(made.body);
  expect((await held()).filter(({ number }) => number === body.number)).toHaveLength(1);
});

test('An order that nobody waits for says what it is about', async () => {
  const body = draft();
  const accepted = await stack.people.owner('POST', PATH, body, { headers: { Prefer: 'respond-async' } });
  expect(accepted).toMatchObject({
    status: 202,
    body: { object: 'ring-group', number: body.number, extension_id: '' },
  });
  const over = await until(
    () => owner('GET', `/operations/${accepted.body.id}`),
    ({ body: { is_finished: isFinished } }) => isFinished === true,
  );
  expect(over.body).toMatchObject({ state: 'succeeded', result: { number: body.number, name: body.name } });
});

test('A comparison repairs what is missing or changed, removes what an order left, and reports what is unknown', async () => {
  const [missing, changed, left] = [await make(), await make(), await make()];
  const leftover = await heldAt(left.number);
  await owner('DELETE', `${PATH}/${left.id}`);
  await atPbx('DELETE', missing.number);
  await atPbx('PUT', changed.number, { ...(await heldAt(changed.number)), ring_time: 99 });
  await atPbx('PUT', left.number, leftover);
  await atPbx('PUT', 698, { number: 698, name: 'By hand' });
  const report = (await owner('POST', `${PBX}/drift`)).body;
  const names = [missing, changed, left].map(({ number }) => `ring group ${number}`);
  expect(report.arrangements).toEqual({
    missing: [names[0]],
    changed: [names[1]],
    leftover: [names[2]],
    unknown: ['ring group 698'],
    repaired: expect.arrayContaining(names),
    adopted: [],
  });
  expect(report.is_complete).toBe(true);
  expect(await heldAt(missing.number)).toMatchObject({ name: missing.name });
  expect(await heldAt(changed.number)).toMatchObject({ ring_time: 20 });
  expect(await heldAt(left.number)).toBeUndefined();
  expect((await owner('POST', `${PBX}/drift`)).body.arrangements).toMatchObject({
    missing: [],
    changed: [],
    leftover: [],
  });
  await atPbx('DELETE', 698);
});
