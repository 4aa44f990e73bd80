import { pageOf, type TestPage } from '../../../support/http/pages';
import { openTelephony, type TelephonyStack } from '../../../support/telephony/telephony';
import { until } from '../../../support/until';
import { INSTANCE_ONE } from '../people';

const LIST = `/instances/${INSTANCE_ONE}/bulks/extensions`;

let stack: TelephonyStack;
let owner: TestPage;
let member: TestPage;

beforeAll(async () => {
  stack = await openTelephony({ BREAKER_FAILURES: '100' });
  const { people, node } = stack;
  const enter = async (id: string) => pageOf(await node.call('/portal/api/session', { json: { demo: id } }));
  owner = await enter(people.ids.owner);
  member = await enter(people.ids.member);
});
afterEach(() => stack.pbx.fault({ mode: 'ok' }));
afterAll(() => stack.close());

const call = (method: string, path: string, json?: object, by = owner) =>
  by.call(stack.node, path, { method, ...(json && { json }) });
async function make(number: number, userId?: string): Promise<string> {
  const user = userId === undefined ? {} : { user: { id: userId } };
  const { status, body } = await call('POST', LIST, { data: { id: number, name: `Phone ${number}` }, ...user });
  expect(status).toBe(201);
  return body._id;
}
const retry = (id: string, by = owner) =>
  call('POST', `/portal/api/instances/${INSTANCE_ONE}/extensions/${id}/retry`, {}, by);
const standing = async (number: number) =>
  (await call('GET', `/portal/api/instances/${INSTANCE_ONE}/standings?numbers=${number}`)).body[0];
const failing = async (work: () => Promise<{ status: number }>): Promise<void> => {
  await stack.pbx.fault({ mode: 'error' });
  expect((await work()).status).toBe(502);
  await stack.pbx.fault({ mode: 'ok' });
};
const trailOf = async (action: string) => (await call('GET', `/company/audit?action=${action}`)).body;

test('Trying again after a failed change orders that change, and the trail shows before and after', async () => {
  const id = await make(7401);
  await failing(() => call('PATCH', `${LIST}/${id}`, { data: { name: 'Reception', description: 'Ground floor' } }));
  expect(await standing(7401)).toMatchObject({ state: 'failed', order: 'update' });
  expect((await call('GET', `${LIST}?filter_by=failed`)).body).toMatchObject([
    { data: { id: 7401, name: 'Phone 7401' } },
  ]);
  expect((await retry(id)).body.data).toMatchObject({ name: 'Reception', description: 'Ground floor' });
  expect((await stack.pbx.holds(INSTANCE_ONE)).find(({ number }) => number === 7401)).toMatchObject({
    name: 'Reception',
  });
  expect(await standing(7401)).toMatchObject({ state: 'ready', order: null });
  expect((await call('GET', `${LIST}?filter_by=failed`)).status).toBe(404);
  const [done, failed] = await trailOf('extension.update');
  expect(done.detail.changes).toMatchObject({ name: ['Phone 7401', 'Reception'], description: ['', 'Ground floor'] });
  expect(failed.detail.failed).toEqual(expect.any(String));
  // A new password is in the trail, but not which.
  await call('PATCH', `${LIST}/${id}`, { data: { secret: 'canary-canary-4711' } });
  const [secret] = await trailOf('extension.update');
  expect(secret.detail.changes).toEqual({ secret: ['********', '********'] });
});

test('Trying again after a failed deletion deletes, and only who may delete can', async () => {
  const id = await make(7402);
  await failing(() => call('DELETE', `${LIST}/${id}`));
  expect(await standing(7402)).toMatchObject({ state: 'failed', order: 'delete' });
  expect((await retry(id, member)).status).toBe(403);
  expect((await retry(id)).status).toBe(200);
  expect((await call('GET', `${LIST}/${id}`)).status).toBe(404);
  expect(await stack.pbx.numbers(INSTANCE_ONE)).not.toContain(7402);
  expect((await retry(id)).status).toBe(404);
});

test('Trying again without a failed order pushes what is stored, as for what differs on the PBX', async () => {
  const id = await make(7403);
  await stack.pbx.put(INSTANCE_ONE, 7403, { name: 'Altered', secret: 'stolen' });
  expect((await retry(id)).status).toBe(200);
  await until(async () => (await stack.pbx.holds(INSTANCE_ONE)).some(({ name }) => name === 'Phone 7403'));
});

test('What differs on the PBX and could not be repaired is among the failed until it is', async () => {
  const id = await make(7407);
  const failed = async () => {
    const { body } = await call('GET', `${LIST}?filter_by=failed`);
    return (Array.isArray(body) ? (body as { _id: string }[]) : []).map(({ _id: each }) => each);
  };
  await stack.pbx.put(INSTANCE_ONE, 7407, { name: 'Altered', secret: 'stolen' });
  await stack.pbx.fault({ mode: 'error', changes: true });
  expect((await call('POST', `/instances/${INSTANCE_ONE}/drift`, {})).body.changed).toContain(7407);
  expect(await failed()).toContain(id);
  await stack.pbx.fault({ mode: 'ok' });
  expect((await call('POST', `/instances/${INSTANCE_ONE}/drift`, {})).body.repaired).toContain(7407);
  expect(await failed()).not.toContain(id);
});

test('A list of extensions without a phone is refused where the PBX does not tell', async () => {
  const { status, body } = await call('GET', `${LIST}?filter_by=unregistered`);
  expect([status, body.detail]).toEqual([400, 'filter_by: this PBX does not tell which phones are registered']);
});

test('Every extension of a person is listed, and the columns of a bulk file are kept for every browser', async () => {
  const { ids } = stack.people;
  for (const number of [7405, 7404]) await make(number, ids.member);
  const held = (await call('GET', '/portal/api/holdings', undefined, member)).body as { contact_id: string }[];
  expect(held.filter(({ contact_id: id }) => id === ids.member)).toEqual([
    { contact_id: ids.member, number: 7404 },
    { contact_id: ids.member, number: 7405 },
  ]);

  const csv = [{ data: { id: 7406, name: 'Row' } }];
  const order = await call('POST', `/instances/${INSTANCE_ONE}/bulks/extensions/import`, csv);
  const path = `/portal/api/bulks/${order.body.id}/file`;
  expect((await call('GET', path)).body).toEqual({ columns: {}, lines: [] });
  const file = { columns: { extension: 'Durchwahl' }, lines: [3] };
  expect((await call('PUT', path, file)).body).toEqual(file);
  expect((await call('GET', path)).body).toEqual(file);
  expect((await call('PUT', path, { columns: {}, lines: [0] })).status).toBe(400);
  expect((await call('GET', path, undefined, member)).status).toBe(404);
});
