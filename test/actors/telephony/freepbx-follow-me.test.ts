// Follow-me of extensions on a FreePBX: a module of its own, which updateExtension empties.
import { INSTANCE_ONE, problem } from '../../api/telephony/people';
import { CONFIRMED, DRIFT, draft, freePbxSide, numberOf, PATH } from '../../support/telephony/freepbx-side';
import { passAnHour } from '../../support/telephony/pbx-undos';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { until } from '../../support/until';

let stack: TelephonyStack;
let side: ReturnType<typeof freePbxSide>;

beforeAll(async () => {
  stack = await openTelephony({ PBX_SWEEP_MS: '200', BREAKER_FAILURES: '1000' }, 'freepbx');
  side = freePbxSide(stack);
});
afterEach(() => stack.pbx.fault({ mode: 'ok' }));
afterAll(() => stack.close());

const ON = {
  findmefollow_enabled: 'yes',
  findmefollow_grplist: '2317094162-+15550100003',
  findmefollow_strategy: 'hunt-prim',
  findmefollow_grptime: 25,
  findmefollow_pre_ring: 0,
  findmefollow_needsconf: true,
  findmefollow_postdest: 'app-blackhole,busy,1',
  findmefollow_changecid: 'fixed',
  findmefollow_fixedcid: '15550100009',
};
const HELD = {
  enabled: true,
  followMeList: '2317094162#-+15550100003#',
  strategy: 'huntprim',
  ringTime: 25,
  initialRingTime: 0,
  confirmCalls: true,
  noAnswerDestination: 'app-blackhole,busy,1',
  externalCallerIdMode: 'fixed',
  fixedCallerId: '15550100009',
};
const followMeOf = async (number: number) => (await side.heldOf(number))?.['follow_me'];
const modules = (given: object) =>
  fetch(`${stack.pbx.url}/freepbx/${INSTANCE_ONE}/simulated/modules`, { method: 'PUT', body: JSON.stringify(given) });

test('Follow-me is set with the extension, changed and ended, and the answers warn of nothing', async () => {
  const made = await side.create(ON);
  const number = numberOf(made);
  expect(await followMeOf(number)).toMatchObject(HELD);
  const changed = await side.patch(made, { findmefollow_grptime: 15, findmefollow_postdest: '' });
  expect(changed).toMatchObject({ status: 200, body: { warnings: [] } });
  expect(await followMeOf(number)).toMatchObject({ ringTime: 15, noAnswerDestination: `ext-local,${number},dest` });
  expect((await side.callsFor(number)).slice(-1)).toEqual(['updateFollowMe']);
  expect((await side.patch(made, { findmefollow_enabled: '' })).status).toBe(200);
  expect(await followMeOf(number)).toMatchObject({ enabled: false, ringTime: 15 });
});

test('An extension without follow-me costs no call for it', async () => {
  const made = await side.create();
  expect(await side.callsFor(numberOf(made))).not.toContain('updateFollowMe');
  expect(await followMeOf(numberOf(made))).toBeUndefined();
});

test('What updateExtension deletes is written again, and updateCoreUser deletes nothing', async () => {
  const made = await side.create(ON);
  const number = numberOf(made);
  expect((await side.patch(made, { secret: 'another-secret-0123456789' }, CONFIRMED)).status).toBe(200);
  expect((await side.callsFor(number)).slice(-2)).toEqual(['updateExtension', 'updateFollowMe']);
  expect(await followMeOf(number)).toMatchObject(HELD);
  expect((await side.patch(made, { ringtimer: '30' })).status).toBe(200);
  expect((await side.callsFor(number)).slice(-1)).toEqual(['updateCoreUser']);
  expect(await followMeOf(number)).toMatchObject(HELD);
});

test('A destination that FreePBX does not have gets 502, and nothing is changed', async () => {
  const made = await side.create(ON);
  const refused = await side.patch(made, { findmefollow_postdest: 'app-ivr,1,1' });
  expect(refused).toMatchObject(problem(502));
  expect(refused.body.detail).toContain('Invalid Route');
  expect(await followMeOf(numberOf(made))).toMatchObject(HELD);
});

test('A change that FreePBX only claims to have made gets 502 that names the field', async () => {
  const made = await side.create();
  await stack.pbx.fault({ instance: INSTANCE_ONE, mode: 'only-say-yes' });
  const refused = await side.patch(made, { findmefollow_enabled: 'yes' });
  expect(refused).toMatchObject(problem(502));
  expect(refused.body.detail).toContain('findmefollow_enabled');
  await stack.pbx.fault({ mode: 'ok' });
  await passAnHour(stack.worker.mysql, INSTANCE_ONE);
  await until(
    () => stack.worker.mysql('tel_operations').where({ state: 'undoing' }).pluck('id'),
    (ids: string[]) => ids.length === 0,
  );
});

test('A FreePBX without the module refuses what sets follow-me, and takes everything else', async () => {
  const before = await side.create(ON);
  await modules({ findmefollow: false });
  const body = draft({ findmefollow_enabled: 'yes' });
  const refused = await stack.people.owner('POST', PATH, body);
  const made = await side.create();
  const other = await side.patch(before, { name: 'Renamed' });
  const report = await stack.people.owner('POST', DRIFT);
  await modules({});
  expect(refused).toMatchObject(problem(400));
  expect(refused.body.detail).toContain('data.findmefollow_enabled');
  expect(await side.heldOf(body.data.id)).toBeUndefined();
  expect(await side.heldOf(numberOf(made))).toBeDefined();
  expect(other).toMatchObject({ status: 200, body: { data: { name: 'Renamed' } } });
  expect(report.body).toMatchObject({ is_complete: true });
});
