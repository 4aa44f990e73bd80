// Forwards and do not disturb of an extension: orders, and what somebody changes at the telephone.
import { lookAtState } from '../../../../src/telephony/commands/extensions/look-after-orders';
import type { CompanyId } from '../../../../src/telephony/model/companies/company';
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
const NONE = { do_not_disturb: false, always: null, busy: null, no_answer: null };
let next = 100;
const owner = (method: string, path: string, body?: object) => stack.people.owner(method, path, body);

async function extension(more: object = {}) {
  const number = ++next;
  const made = await owner('POST', `${PBX}/bulks/extensions`, {
    data: { id: number, name: `Phone ${number}` },
    ...more,
  });
  expect(made.status).toBe(201);
  const path = `${PBX}/extensions/${made.body._id}/forwards`;
  return { number, id: made.body._id as string, path };
}
const held = async (number: number): Promise<unknown> => {
  const answer = await fetch(`${stack.pbx.url}${PBX}/forwards/${number}`);
  return answer.status === 404 ? undefined : answer.json();
};
/** What somebody does with feature codes. */
const atTelephone = (number: number, forwards: object) =>
  fetch(`${stack.pbx.url}${PBX}/forwards/${number}`, { method: 'PUT', body: JSON.stringify({ number, ...forwards }) });
const look = async (number: number) => {
  const { id: companyId } = (await owner('GET', '/system/company')).body as { id: CompanyId };
  await lookAtState(stack.node.kernel, { companyId, uuid: INSTANCE_ONE }, number);
};

test('Forwards are none at first, are set one by one, and end by null', async () => {
  const { number, id, path } = await extension();
  const about = { instance_uuid: INSTANCE_ONE, extension_id: id, number };
  expect((await owner('GET', path)).body).toEqual({ ...about, ...NONE, source: null, updated: null });
  const set = await owner('PATCH', path, { always: '+1 (555) 010-0003' });
  const expected = { ...about, ...NONE, always: '+15550100003', source: 'order', updated: expect.any(String) };
  expect(set).toMatchObject({ status: 200, body: expected });
  expect((await owner('GET', path)).body).toEqual(expected);
  expect((await owner('PATCH', path, { do_not_disturb: true, busy: '102' })).body).toMatchObject({
    always: '+15550100003',
    busy: '102',
    do_not_disturb: true,
  });
  expect(await held(number)).toEqual({
    number,
    do_not_disturb: true,
    always: '+15550100003',
    busy: '102',
    no_answer: null,
  });
  const ended = await owner('PATCH', path, { always: null, busy: '', do_not_disturb: false });
  expect(ended.body).toMatchObject(NONE);
});

test('What is no number, and a forward to itself, get 400', async () => {
  const { number, path } = await extension();
  expect(await owner('PATCH', path, { always: 'PJSIP/102' })).toMatchObject(problem(400));
  const refused = await owner('PATCH', path, { no_answer: String(number) });
  expect(refused).toMatchObject(problem(400));
  expect(refused.body.detail).toBe('no_answer: the extension forwards to itself');
});

test('Users change the forwards of their own extension, and of nobody else’s', async () => {
  const { ids, member } = stack.people;
  const own = await extension({ user: { id: ids.member } });
  const others = await extension({ user: { id: ids.owner } });
  expect((await member('PATCH', own.path, { do_not_disturb: true })).status).toBe(200);
  expect(await member('PATCH', others.path, { do_not_disturb: true })).toMatchObject(problem(403));
  expect((await member('GET', others.path)).status).toBe(200);
});

test('A change at the telephone is adopted when the PBX tells, and the company is told', async () => {
  const { number, path } = await extension();
  await owner('PATCH', path, { busy: '102' });
  await atTelephone(number, { ...NONE, busy: '102', always: '103' });
  await look(number);
  const adopted = await until(
    () => owner('GET', path),
    ({ body: { source } }) => source === 'pbx',
  );
  expect(adopted.body).toMatchObject({ ...NONE, always: '103', busy: '102' });
  const events = (await owner('GET', '/events?after=0')).body as { name: string; payload: { number?: number } }[];
  const told = events.filter(({ name, payload }) => name === 'extension.forwards.updated' && payload.number === number);
  expect(told.map(({ payload }) => payload)).toEqual([
    expect.objectContaining({ busy: '102', always: null, source: 'order' }),
    expect.objectContaining({ busy: '102', always: '103', source: 'pbx' }),
  ]);
});

test('An order keeps what was changed at the telephone a moment before', async () => {
  const { number, path } = await extension();
  await atTelephone(number, { ...NONE, always: '104' });
  expect((await owner('PATCH', path, { do_not_disturb: true })).body).toMatchObject({
    always: '104',
    do_not_disturb: true,
  });
});

test('A comparison adopts what was changed at the telephone while nobody listened', async () => {
  const [changed, same] = [await extension(), await extension()];
  await owner('PATCH', same.path, { always: '105' });
  await atTelephone(changed.number, { ...NONE, do_not_disturb: true });
  const report = (await owner('POST', `${PBX}/drift`)).body;
  expect(report.arrangements.adopted).toEqual([`forwards of ${changed.number}`]);
  expect((await owner('GET', changed.path)).body).toMatchObject({ do_not_disturb: true, source: 'pbx' });
  expect((await owner('GET', same.path)).body).toMatchObject({ always: '105', source: 'order' });
});

test.each(['error', 'only-say-yes'])('A PBX that fails with %s gets 502, and the forwards stay', async (mode) => {
  const { number, path } = await extension();
  await owner('PATCH', path, { always: '106' });
  await stack.pbx.fault({ mode, changes: true });
  expect(await owner('PATCH', path, { always: '107' })).toMatchObject(problem(502));
  await stack.pbx.fault({ mode: 'ok' });
  await passAnHour(stack.worker.mysql, INSTANCE_ONE);
  await until(
    () => stack.worker.mysql('tel_operations').whereIn('state', ['pending', 'running', 'undoing']).pluck('state'),
    (states: string[]) => states.length === 0,
  );
  expect(await held(number)).toMatchObject({ always: '106' });
  expect((await owner('GET', path)).body).toMatchObject({ always: '106' });
});

test('The next owner of a number has none of its forwards', async () => {
  const { number, id, path } = await extension();
  await owner('PATCH', path, { always: '108' });
  expect((await owner('DELETE', `${PBX}/bulks/extensions/${id}`)).status).toBe(200);
  expect(await owner('GET', path)).toMatchObject(problem(404));
  const again = await owner('POST', `${PBX}/bulks/extensions`, { data: { id: number, name: 'Next' } });
  expect((await owner('GET', `${PBX}/extensions/${again.body._id}/forwards`)).body).toMatchObject(NONE);
  expect(await held(number)).toBeUndefined();
});
