import { INSTANCE_ONE } from '../../api/telephony/people';
import { withLease } from '../../support/telephony/pbx-undos';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { until } from '../../support/until';

let stack: TelephonyStack;

beforeAll(async () => {
  stack = await openTelephony({ PBX_LATE_MS: '1000' });
});
afterEach(() => stack.pbx.fault({ mode: 'ok' }));
afterAll(() => stack.close());

const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;
const create = (id: number, headers = {}) =>
  stack.people.owner('POST', PATH, { data: { id, name: 'Late' } }, { headers });
const row = (id: number) => stack.worker.mysql('tel_operations').where({ extension_number: id });
const becomes = (id: number, wanted: string) =>
  until(
    () => row(id).first('state'),
    (found) => (found as { state: string } | undefined)?.state === wanted,
  );
const idle = () =>
  until(
    () => stack.worker.mysql('tel_operations').whereIn('state', ['pending', 'running', 'undoing']).pluck('number'),
    (open) => open.length === 0,
  );

test('An order behind a hanging one is answered that the PBX is busy, even after the hanging order has been given up', async () => {
  await stack.pbx.fault({ mode: 'hang' });
  const first = create(8001);
  await becomes(8001, 'running');
  stack.endPatience();
  expect(await first).toMatchObject({
    status: 502,
    body: { detail: 'The PBX did not answer in time; whatever it still does is undone' },
  });
  const second = create(8002);
  await becomes(8002, 'pending');
  stack.endPatience();
  expect(await second).toMatchObject({
    status: 502,
    body: { detail: 'The PBX is busy with earlier orders; nothing was done' },
  });
  stack.deadlines.end(INSTANCE_ONE);
  await becomes(8001, 'undoing');
  await stack.pbx.fault({ mode: 'ok' });
  stack.deadlines.renew(INSTANCE_ONE);
  await idle();
});

describe('Orders while no worker takes jobs', () => {
  const queue = () => stack.worker.jobs.registry.queue('mailbox-pbx');
  beforeAll(async () => (await queue()).pause());
  afterAll(async () => {
    await (await queue()).resume();
    await idle();
  });

  test('An order that no worker began is answered that no worker took it', async () => {
    const answer = create(8011);
    await becomes(8011, 'pending');
    stack.endPatience();
    expect(await answer).toMatchObject({
      status: 502,
      body: { detail: 'No worker took the order in time; nothing was done' },
    });
  });

  test('An order whose worker died is answered that the worker is gone, not that the PBX was slow', async () => {
    const answer = create(8012);
    await becomes(8012, 'pending');
    await row(8012).update({ state: 'running', called_at: stack.worker.mysql.raw('NOW(3)') });
    stack.endPatience();
    expect(await answer).toMatchObject({
      status: 502,
      body: { detail: 'The worker that had begun the order is gone; whatever it did is undone' },
    });
  });
});

test.each([
  ['was never begun', 8021, 'pending', 'The order was not begun in time; nothing was done'],
  ['was begun', 8022, 'running', 'The order was begun, but not finished in time; whatever it did is undone'],
])('An order that %s gets that answer when a worker finds it after its deadline', async (...given) => {
  const [, id, state, detail] = given;
  const { mysql } = stack.worker;
  let placed = '';
  await withLease(mysql, INSTANCE_ONE, async () => {
    placed = (await create(id, { Prefer: 'respond-async' })).body.id;
    await row(id).update({
      state,
      deadline_at: mysql.raw('NOW(3) - INTERVAL 1 SECOND'),
      called_at: mysql.raw('NOW(3)'),
    });
  });
  const { body } = await until(
    () => stack.people.owner('GET', `/operations/${placed}`),
    (answer) => answer.body.is_finished,
  );
  expect(body.detail).toBe(detail);
  await idle();
});
