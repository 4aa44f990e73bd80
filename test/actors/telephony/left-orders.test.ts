import { admins } from '../../../src/telephony/actors/mailboxes';
import { INSTANCE_ONE } from '../../api/telephony/people';
import { pbxMail, withLease } from '../../support/telephony/pbx-undos';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { until } from '../../support/until';

let stack: TelephonyStack;

beforeAll(async () => {
  // No worker takes up abandoned orders.
  stack = await openTelephony({ PBX_SWEEP_MS: '600000' });
});
afterEach(() => stack.pbx.fault({ mode: 'ok' }));
afterAll(() => stack.close());

const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;
const create = (id: number, headers = {}) =>
  stack.people.owner('POST', PATH, { data: { id, name: 'Left' } }, { headers });
const stateOf = async (id: number) =>
  (
    (await stack.worker.mysql('tel_operations').where({ extension_number: id }).first('state')) as
      | { state: string }
      | undefined
  )?.state;
const jobs = async () =>
  (await stack.worker.jobs.registry.queue('mailbox-pbx')).getJobCounts('active', 'delayed', 'prioritized');
const becomes = (id: number, wanted: string) =>
  until(
    () => stateOf(id),
    (state) => state === wanted,
  );

test('Orders for a PBX with a current turn leave no waiting job in the queue', async () => {
  await stack.pbx.fault({ mode: 'hold', times: 1 });
  const first = create(7001);
  await becomes(7001, 'running');
  const others: ReturnType<typeof create>[] = [];
  for (const id of [7002, 7003, 7004]) {
    others.push(create(id));
    await becomes(id, 'pending');
  }
  await until(jobs, ({ active, prioritized }) => active === 1 && prioritized === 0);
  expect(await jobs()).toEqual({ active: 1, delayed: 0, prioritized: 0 });
  await stack.pbx.fault({ mode: 'ok' });
  for (const { status } of await Promise.all([first, ...others])) expect(status).toBe(201);
  const requests = await stack.pbx.requests(INSTANCE_ONE);
  const taken = requests.filter(({ method }) => method === 'PUT').map(({ number }) => Number(number));
  expect(taken).toEqual([7001, 7002, 7003, 7004]);
  await until(jobs, ({ active }) => active === 0);
});

test('An order behind one that fails for good is carried out', async () => {
  const later = { Prefer: 'respond-async' };
  await stack.pbx.fault({ mode: 'hold', times: 1 });
  const first = create(7011);
  await becomes(7011, 'running');
  // A row that cannot be read: it fails the turn each time, until it is given up.
  await create(7012, later);
  await stack.worker.mysql('tel_extensions').where({ number: 7012 }).update({ data: '{' });
  await create(7013, later);
  expect(await stateOf(7013)).toBe('pending');
  await stack.pbx.fault({ mode: 'ok' });
  expect((await first).status).toBe(201);
  await becomes(7012, 'undoing');
  await becomes(7013, 'succeeded');
});

test('An order that has to be attempted again is over before the next one for the same extension begins', async () => {
  const { mysql } = stack.worker;
  const { body } = await create(7021);
  const rename = (name: string) =>
    stack.people.owner('PATCH', `${PATH}/${body._id}`, { data: { name } }, { headers: { Prefer: 'respond-async' } });
  const orders = () => mysql('tel_operations').where({ extension_number: 7021, kind: 'update' }).orderBy('number');
  await withLease(mysql, INSTANCE_ONE, async () => {
    await rename('First');
    await orders().update({ payload: 'not decryptable' });
    await rename('Second');
  });
  const [first, second] = await until(orders, (rows) => rows[1].state === 'succeeded');
  expect(first).toMatchObject({ attempts: 3, detail: 'The order cannot be carried out' });
  expect(second.called_at.getTime()).toBeGreaterThanOrEqual(first.finished_at.getTime());
});

test('An order whose mail an operator discards fails, and its number is free again', async () => {
  const { worker } = stack;
  const pbxAdmin = admins.find(({ name }) => name === 'pbx')!;
  await withLease(worker.mysql, INSTANCE_ONE, async () => {
    const { body } = await create(7031, { Prefer: 'respond-async' });
    const [mail] = await pbxAdmin.search(worker, { state: 'waiting', subject: INSTANCE_ONE, limit: 1 });
    await worker.transaction((tx) => pbxAdmin.apply(worker, tx, 'discard', [mail!.id]));
    const { body: operation } = await stack.people.owner('GET', `/operations/${body.id}`);
    expect(operation).toMatchObject({ state: 'failed', detail: 'An operator discarded the order' });
  });
  expect((await create(7031)).status).toBe(201);
});

test('Requests for a comparison that wait together share one comparison', async () => {
  const { mysql } = stack.worker;
  let saved = 0;
  const count = ({ sql }: { sql: string }) => void (saved += sql.startsWith('insert into `tel_drift`') ? 1 : 0);
  mysql.on('query', count);
  const waiting = () => pbxMail(mysql, INSTANCE_ONE, 'comparison');
  let reports: Promise<{ status: number }[]> = Promise.resolve([]);
  await withLease(mysql, INSTANCE_ONE, async () => {
    const ask = () => stack.people.owner('POST', `/instances/${INSTANCE_ONE}/drift`);
    reports = Promise.all([ask(), ask(), ask()]);
    await until(waiting, (mails) => mails.length === 3);
  });
  expect((await reports).map(({ status }) => status)).toEqual([200, 200, 200]);
  mysql.removeListener('query', count);
  expect(saved).toBe(1);
});
