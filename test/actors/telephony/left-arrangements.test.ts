// Orders of ring groups, forwards and calls that a worker has begun and not finished: another goes on with them.
import { INSTANCE_ONE } from '../../api/telephony/people';
import { withLease } from '../../support/telephony/pbx-undos';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { until } from '../../support/until';

let stack: TelephonyStack;

beforeAll(async () => {
  stack = await openTelephony({ PBX_SWEEP_MS: '200', PBX_LATE_MS: '500' });
});
afterAll(() => stack.close());

const PBX = `/instances/${INSTANCE_ONE}`;
const LATER = { headers: { Prefer: 'respond-async' } };
const atPbx = async (path: string, method = 'GET', body?: object): Promise<Record<string, unknown> | undefined> => {
  const answer = await fetch(`${stack.pbx.url}${PBX}${path}`, {
    method,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return answer.status === 404 ? undefined : ((await answer.json()) as Record<string, unknown>);
};
/** The order as a worker leaves it that dies while the PBX does it. */
const begun = (id: string) =>
  stack.worker
    .mysql('tel_operations')
    .where({ id })
    .update({ state: 'running', called_at: stack.worker.mysql.raw('NOW(3)') });
const over = (id: string) =>
  until(
    () => stack.people.owner('GET', `/operations/${id}`),
    ({ body }) => body.is_finished === true,
  );

async function left(path: string, body: object, meanwhile: (id: string) => Promise<unknown>, method = 'POST') {
  let id = '';
  await withLease(stack.worker.mysql, INSTANCE_ONE, async () => {
    const placed = await stack.people.owner(method, `${PBX}${path}`, body, LATER);
    expect(placed.status).toBe(202);
    id = placed.body.id as string;
    await begun(id);
    await meanwhile(id);
  });
  return (await over(id)).body;
}

test('A ring group that a dead worker had written is there, and one that it had not is written', async () => {
  const group = { number: 600, name: 'Sales', members: ['101'] };
  const whole = { ...group, strategy: 'ringall', ring_time: 20, prefix: '', no_answer: null };
  const done = await left('/ring-groups', group, (operation) =>
    atPbx('/ring-groups/600', 'PUT', { ...whole, operation }),
  );
  expect(done).toMatchObject({ state: 'succeeded', result: group });
  expect(await atPbx('/ring-groups/600')).toMatchObject({ operation: done.id });
  const other = await left('/ring-groups', { ...group, number: 601 }, () => Promise.resolve());
  expect(other).toMatchObject({ state: 'succeeded', result: { number: 601 } });
  expect(await atPbx('/ring-groups/601')).toMatchObject({ name: 'Sales' });
});

test('Forwards that a dead worker had half written are written whole', async () => {
  const made = await stack.people.owner('POST', `${PBX}/bulks/extensions`, { data: { id: 101, name: 'Desk' } });
  const path = `/extensions/${made.body._id}/forwards`;
  const none = { do_not_disturb: false, always: null, busy: null, no_answer: null };
  const change = { always: '102', busy: '103' };
  const half = () => atPbx('/forwards/101', 'PUT', { number: 101, ...none, always: '102' });
  expect(await left(path, change, half, 'PATCH')).toMatchObject({ state: 'succeeded', result: change });
  expect(await atPbx('/forwards/101')).toMatchObject(change);
});

test('A call that a dead worker had begun goes on, and one of which nobody knows is not begun again', async () => {
  const { body } = await stack.people.owner('POST', `${PBX}/bulks/extensions`, { data: { id: 102, name: 'Desk' } });
  const path = `/extensions/${body._id}/calls`;
  const call = { to: '101' };
  const rings = (id: string) => atPbx(`/calls/${id}`, 'PUT', { from: 102, ...call });
  const done = await left(path, call, rings);
  expect(done).toMatchObject({ state: 'succeeded', result: { id: done.id, from: 102, to: '101' } });
  const lost = await left(path, call, () => Promise.resolve());
  expect(lost.state).toBe('failed');
  expect(await atPbx(`/calls/${lost.id}`)).toBeUndefined();
});
