import type { OperationId } from '../../../src/telephony/model/extensions/operation';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { passAnHour, pbxMail, sendToPbx } from '../../support/telephony/pbx-undos';
import { until } from '../../support/until';
import { INSTANCE_ONE, INSTANCE_TWO, problem } from '../../api/telephony/people';

let stack: TelephonyStack;

beforeAll(async () => {
  stack = await openTelephony({
    PBX_LATE_MS: '1000',
    PBX_SWEEP_MS: '200',
    BREAKER_FAILURES: '4',
    // The breaker stays open until the test closes it.
    BREAKER_OPEN_MS: '600000',
  });
});
afterEach(() => stack.pbx.fault({ mode: 'ok' }));
afterAll(() => stack.close());

const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;
const DRIFT = `/instances/${INSTANCE_ONE}/drift`;
let next = 3000;
const draft = () => ({ data: { id: ++next, name: `Phone ${next}` } });
const create = async () => (await stack.people.owner('POST', PATH, draft())).body;

/** As if the time for which breakers stay open had passed. */
async function passBreakerTime(): Promise<void> {
  const { commands } = stack.worker.redis;
  const open = await commands.keys(`${stack.worker.namespace}*breaker*:open`);
  expect(open).toHaveLength(1);
  await commands.del(open);
}

describe('Circuit breaker', () => {
  test('The circuit breaker opens after failures in a row, refuses at once while open, and closes after a success', async () => {
    await stack.pbx.fault({ mode: 'error' });
    for (let tries = 0; tries < 4; tries += 1)
      expect((await stack.people.owner('POST', PATH, draft())).status).toBe(502);
    const before = (await stack.pbx.requests(INSTANCE_ONE)).length;
    const answer = await stack.people.owner('POST', PATH, draft());
    expect(answer).toMatchObject(problem(502));
    expect(answer.body.detail).toContain('left alone');
    expect((await stack.pbx.requests(INSTANCE_ONE)).length).toBe(before);
    await stack.pbx.fault({ mode: 'ok' });
    expect((await stack.people.owner('POST', PATH, draft())).status).toBe(502);
    await passBreakerTime();
    expect((await stack.people.owner('POST', PATH, draft())).status).toBe(201);
    // One more failure does not open it again: the success has closed it.
    await stack.pbx.fault({ mode: 'error' });
    const failed = await stack.people.owner('POST', PATH, draft());
    expect(failed.body.detail).not.toContain('left alone');
    await stack.pbx.fault({ mode: 'ok' });
    expect((await stack.people.owner('POST', PATH, draft())).status).toBe(201);
  });

  test('The circuit breaker of one PBX stays closed while another PBX fails', async () => {
    await stack.pbx.fault({ instance: INSTANCE_TWO, mode: 'error' });
    const other = `/instances/${INSTANCE_TWO}/bulks/extensions`;
    for (let tries = 0; tries < 5; tries += 1)
      expect((await stack.people.stranger('POST', other, draft())).status).toBe(502);
    expect((await stack.people.owner('POST', PATH, draft())).status).toBe(201);
  });
});

describe('Reconciliation', () => {
  // It skips orders that are being undone.
  beforeAll(async () => {
    const { mysql } = stack.worker;
    await passAnHour(mysql, INSTANCE_ONE);
    await until(
      () => mysql('tel_operations').where({ state: 'undoing' }).pluck('instance'),
      (open) => !open.includes(INSTANCE_ONE),
    );
  });

  test('Reconciliation repairs missing and changed extensions, removes its own leftovers, and reports and keeps unknown ones', async () => {
    const { people, pbx, worker } = stack;
    const [gone, altered, fine] = [await create(), await create(), await create()];
    await pbx.remove(INSTANCE_ONE, gone.data.id);
    await pbx.put(INSTANCE_ONE, altered.data.id, { name: 'Altered', secret: 'stolen' });
    await pbx.put(INSTANCE_ONE, 8888, { name: 'Unknown' });
    const failed = await worker.mysql('tel_operations').where({ state: 'failed' }).first('id');
    await pbx.put(INSTANCE_ONE, 8889, { name: 'Leftover', operation: failed.id });

    expect(await people.member('POST', DRIFT)).toMatchObject(problem(403));
    expect(await people.stranger('GET', DRIFT)).toMatchObject(problem(404));
    const { status, body } = await people.owner('POST', DRIFT);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      instance_uuid: INSTANCE_ONE,
      is_complete: true,
      missing: [gone.data.id],
      changed: [altered.data.id],
      unknown: [8888],
      leftover: [8889],
      repaired: [gone.data.id, altered.data.id, 8889],
    });
    const held = new Map((await pbx.holds(INSTANCE_ONE)).map((each) => [each.number, each]));
    for (const each of [gone, altered, fine]) {
      expect(held.get(each.data.id)).toMatchObject({ name: each.data.name, secret: each.data.secret });
    }
    expect(held.has(8888)).toBe(true);
    expect(held.has(8889)).toBe(false);
    const again = await people.owner('POST', DRIFT);
    expect(again.body).toMatchObject({ missing: [], changed: [], leftover: [], unknown: [8888], repaired: [] });
    expect((await people.owner('GET', DRIFT)).body).toMatchObject({ ...again.body, at: expect.any(String) });
    expect(JSON.stringify(body)).not.toContain(gone.data.secret);
  });

  test('A repair that the PBX only claims to have made is not reported as repaired, and the report names the extension', async () => {
    const altered = await create();
    await stack.pbx.put(INSTANCE_ONE, altered.data.id, { name: 'Altered', secret: 'stolen' });
    await stack.pbx.fault({ instance: INSTANCE_ONE, mode: 'only-say-yes' });
    const lied = (await stack.people.owner('POST', DRIFT)).body;
    expect(lied).toMatchObject({ is_complete: false, changed: [altered.data.id], repaired: [] });
    expect(lied.detail).toContain(`does not hold it: ${altered.data.id}`);
    await stack.pbx.fault({ mode: 'ok' });
    expect((await stack.people.owner('POST', DRIFT)).body).toMatchObject({
      is_complete: true,
      repaired: [altered.data.id],
    });
  });

  test('Reconciliation reports that the PBX cannot be read, and changes nothing', async () => {
    await stack.pbx.fault({ instance: INSTANCE_ONE, mode: 'error', list: true });
    const { body } = await stack.people.owner('POST', DRIFT);
    expect(body).toMatchObject({ is_complete: false, detail: expect.stringContaining('500'), repaired: [] });
  });
});

describe('Abandoned orders', () => {
  const insert = async (more: object) => {
    const { mysql } = stack.worker;
    const like = await mysql('tel_operations')
      .where({ instance: INSTANCE_ONE, state: 'succeeded', kind: 'create' })
      .first();
    const { number: _, ...row } = like;
    const id = `f${Math.random().toString(16).slice(2, 14)}`.padEnd(24, '0');
    await mysql('tel_operations').insert({
      ...row,
      id,
      idempotency_hash: null,
      finished_at: null,
      answer: null,
      ...more,
    });
    const kind = 'state' in more && more.state === 'undoing' ? 'undo' : 'order';
    await sendToPbx(stack.worker, INSTANCE_ONE, { kind, id: id as OperationId });
    return { id, extensionId: row.extension_id };
  };
  const past = () => stack.worker.mysql.raw('NOW(3) - INTERVAL 1 SECOND');
  const soon = () => stack.worker.mysql.raw('NOW(3) + INTERVAL 60 SECOND');
  const stateOf = (id: string) => () =>
    stack.worker
      .mysql('tel_operations')
      .where({ id })
      .first('state', 'detail')
      .then((row) => ({ ...row }));

  test('An order whose job is lost is carried out', async () => {
    const payload = stack.worker.secrets.encrypt(JSON.stringify({ warnings: [] }));
    const { id } = await insert({ state: 'pending', payload, deadline_at: soon() });
    await until(stateOf(id), ({ state }) => state === 'succeeded');
  });

  test('An order whose deadline has passed is dropped before the PBX is called', async () => {
    const before = (await stack.pbx.requests(INSTANCE_ONE)).length;
    const { id } = await insert({ kind: 'delete', state: 'pending', deadline_at: past() });
    expect(await until(stateOf(id), ({ state }) => state === 'failed')).toMatchObject({
      detail: expect.stringContaining('in time'),
    });
    expect((await stack.pbx.requests(INSTANCE_ONE)).length).toBe(before);
  });

  test('An order that can never be carried out fails after some attempts and delays no other order', async () => {
    const poison = {
      kind: 'update',
      payload: 'not-decryptable',
      state: 'pending',
      deadline_at: soon(),
    };
    const { id } = await insert(poison);
    await until(stateOf(id), ({ state }) => ['failed', 'undoing'].includes(state));
    expect((await stack.people.owner('POST', PATH, draft())).status).toBe(201);
    await until(stateOf(id), ({ state }) => state === 'failed');
  });

  test('Abandoned orders that can never be undone are given up after some attempts and hold up no others', async () => {
    const { mysql } = stack.worker;
    const { body } = await stack.people.owner('POST', PATH, draft());
    const extension = () => mysql('tel_extensions').where({ number: body.data.id, pbx: INSTANCE_ONE });
    const { data } = await extension().first('data');
    // A row that cannot be read.
    await extension().update({ data: '{' });
    const undoing = { state: 'undoing', extension_number: body.data.id, deadline_at: past() };
    const { id } = await insert(undoing);
    const mail = () => pbxMail(mysql, INSTANCE_ONE, 'undo').where('body', 'like', `%${id}%`);
    await until(
      () => mail().first('attempts'),
      (waiting) => waiting?.attempts === 1,
    );
    expect(await stateOf(id)()).toMatchObject({ state: 'undoing' });
    await mail().update({ attempts: 11, due_at: past() });
    await until(stateOf(id), ({ state }) => state === 'stuck');
    await extension().update({ data });
    expect((await stack.people.owner('POST', PATH, draft())).status).toBe(201);
  });
});

test('An order without a worker gets 502 at the deadline, which says so, and its number stays free', async () => {
  const { worker, people } = stack;
  const queue = await worker.jobs.registry.queue('mailbox-pbx');
  await queue.pause();
  const body = draft();
  const answer = await stack.within({ pbxOperationMs: 300 }, () => people.owner('POST', PATH, body));
  expect(answer).toMatchObject(problem(502));
  expect(answer.body.detail).toContain('No worker');
  await queue.resume();
  expect((await people.owner('POST', PATH, body)).status).toBe(201);
});
