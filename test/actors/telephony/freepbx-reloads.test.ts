import { pbxMail, sendToPbx } from '../../support/telephony/pbx-undos';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { until } from '../../support/until';
import { INSTANCE_ONE, INSTANCE_TWO } from '../../api/telephony/people';

let stack: TelephonyStack;

beforeAll(async () => {
  stack = await openTelephony(
    {
      PBX_SWEEP_MS: '100',
      PBX_RELOAD_MS: '300',
      BREAKER_OPEN_MS: '500',
      BREAKER_FAILURES: '1000',
    },
    'freepbx',
  );
});
afterEach(() => simulated('PUT', '/simulated/reloads', {}));
afterAll(() => stack.close());

const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;
let next = 4000;
const draft = () => ({ data: { id: ++next, name: `Phone ${next}` } });
const create = async () => {
  const { status, body } = await stack.people.owner('POST', PATH, draft());
  expect(status).toBe(201);
  return body;
};
const simulated = async (method: string, path: string, body?: object) =>
  (
    await fetch(`${stack.pbx.url}/freepbx/${INSTANCE_ONE}${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  ).json();
interface Live {
  extensions: { number: number; secret: string }[];
  reloads: number;
  collisions: number;
}
const live = (): Promise<Live> => simulated('GET', '/simulated/live');
const isLive = (id: number) => (now: Live) => now.extensions.some(({ number }) => number === id);
const row = () => stack.worker.mysql('tel_reloads').where({ instance: INSTANCE_ONE }).first();
const mail = () => pbxMail(stack.worker.mysql, INSTANCE_ONE, 'reload');
/** No reload is running, none is wanted, and no mail will begin one. */
const settled = async () => {
  await until(row, ({ is_wanted: wanted, transaction }) => wanted === 0 && transaction === null);
  await until(mail, (waiting) => waiting.length === 0);
};

test('One reload serves many changes, phones can register after it, and no further reload follows', async () => {
  const before = (await live()).reloads;
  // The orders wait for each other, however long the machine takes for twelve of them.
  const made = await stack.within({ pbxReloadMs: 600_000 }, () =>
    Promise.all(Array.from({ length: 12 }, () => create())),
  );
  expect((await live()).reloads).toBe(before);
  const { mysql } = stack.worker;
  expect(await mail()).toHaveLength(1);
  await mail().update({ due_at: mysql.raw('NOW(3)') });
  await until(live, (now) => made.every(({ data }) => isLive(data.id)(now)));
  await settled();
  expect((await live()).reloads).toBe(before + 1);
  const { body } = await stack.people.owner('DELETE', `${PATH}/${made[0]!._id}`);
  await until(live, (now) => !isLive(body.data.id)(now));
});

test('A reload of FreePBX that fails is started again, after a longer pause each time', async () => {
  await simulated('PUT', '/simulated/reloads', { takes_ms: 10, fails: true });
  const { reloads } = await live();
  const { data } = await create();
  await until(live, (now) => now.reloads > reloads);
  await until(
    () => mail().first('attempts'),
    (waiting) => waiting?.attempts > 0,
  );
  await simulated('PUT', '/simulated/reloads', {});
  await until(live, isLive(data.id));
  await settled();
});

test('A reload that takes long delays no order, and is not requested a second time meanwhile', async () => {
  await simulated('PUT', '/simulated/reloads', { takes_ms: 2500 });
  const { reloads, collisions } = await live();
  await create();
  await until(live, (now) => now.reloads > reloads);
  const { data } = await create();
  await until(live, isLive(data.id));
  await settled();
  expect((await live()).collisions).toBe(collisions);
});

test('A status of a reload that is not understood ends the wait, and FreePBX is not reloaded again', async () => {
  await simulated('PUT', '/simulated/reloads', { says: 'Sorry unable to fetch the status' });
  const { reloads } = await live();
  await create();
  await until(live, (now) => now.reloads > reloads);
  await settled();
  expect((await live()).reloads).toBe(reloads + 1);
});

test('Two instances that share one FreePBX do not reload it at the same time', async () => {
  const { mysql } = stack.worker;
  const [one, two] = await Promise.all(
    [INSTANCE_ONE, INSTANCE_TWO].map((uuid) => mysql('tel_instances').where({ uuid }).first('address')),
  );
  await mysql('tel_instances').where({ uuid: INSTANCE_TWO }).update({ address: one.address });
  await simulated('PUT', '/simulated/reloads', { takes_ms: 1500 });
  const { collisions } = await live();
  const other = `/instances/${INSTANCE_TWO}/bulks/extensions`;
  const [own, theirs] = await Promise.all([create(), stack.people.stranger('POST', other, draft())]);
  expect(theirs.status).toBe(201);
  await until(live, (now) => isLive(own.data.id)(now) && isLive(theirs.body.data.id)(now));
  const open = () => mysql('tel_reloads').whereNotNull('transaction').orWhere({ is_wanted: true }).pluck('instance');
  await until(open, (instances) => instances.length === 0);
  expect((await live()).collisions).toBe(collisions);
  await mysql('tel_instances').where({ uuid: INSTANCE_TWO }).update({ address: two.address });
});

test('A reload that a dead worker may have begun is given time before another one is requested', async () => {
  const { mysql } = stack.worker;
  await settled();
  const { reloads } = await live();
  const own = () => mysql('tel_reloads').where({ instance: INSTANCE_ONE });
  // Its mail was not ended: another worker takes it over.
  await own().update({ transaction: '', begun_at: mysql.raw('NOW(3) + INTERVAL 1 HOUR') });
  await sendToPbx(stack.worker, INSTANCE_ONE, { kind: 'reload' });
  const { data } = await create();
  await until(() => mail().whereRaw('due_at > NOW(3) + INTERVAL 30 MINUTE').first('id'));
  expect(await row()).toMatchObject({ transaction: '', is_wanted: 1 });
  expect(await mail()).toHaveLength(1);
  expect((await live()).reloads).toBe(reloads);
  await own().update({ begun_at: mysql.raw('NOW(3) - INTERVAL 1 HOUR') });
  await mail().update({ due_at: mysql.raw('NOW(3)') });
  await until(live, isLive(data.id));
});
